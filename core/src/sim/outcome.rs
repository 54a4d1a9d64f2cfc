//! What an episode, and a run of episodes, report.

use crate::outcome::Outcome;

/// Why an episode was over.
///
/// ```
/// use osculate::sim::End;
/// assert!(End::StepLimit.is_cut() && End::LogFull.is_cut() && !End::Terminal.is_cut());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum End {
    /// The world said so.
    Terminal,
    /// It was cut after [`SimConfig::max_steps`](super::SimConfig::max_steps).
    StepLimit,
    /// It was cut because the learner had no room for another step. The step that found none was made and is not learned
    /// from; let the limit on steps come first where that matters.
    LogFull,
}

impl End {
    /// Whether the world would have gone on.
    pub fn is_cut(self) -> bool {
        self != Self::Terminal
    }
}

/// What an episode came to. See [`Sim::run_episode`](super::Sim::run_episode).
///
/// ```
/// use osculate::sim::{End, EpisodeOutcome};
/// use osculate::{Batch, Learner};
/// let update = Learner::<f32, 1>::default().update(&Batch::<f32, 1, 1>::new());
/// let outcome = EpisodeOutcome { steps: 8, explored: 2, discounted_return: Some(1.5), end: End::Terminal, update };
/// assert_eq!(outcome.explored as f32 / outcome.steps as f32, 0.25); // near ε, in the long run
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct EpisodeOutcome<T, S> {
    /// Steps that were made and taken into account.
    pub steps: u32,
    /// How many of them were drawn at random (and may have been the best ones all the same).
    pub explored: u32,
    /// R₁ + γ R₂ + γ² R₃ …, over those steps; `None` where there was no reward, or where the sum left a float's
    /// range. In fixed point it saturates.
    pub discounted_return: Option<T>,
    /// Why it was over.
    pub end: End,
    /// What the learner made of it.
    pub update: Outcome<S>,
}

/// What [`Sim::until`](super::Sim::until) came to.
///
/// ```
/// use osculate::sim::Finished;
/// let finished = Finished { episodes: 2000, step_small: false };
/// assert!(!finished.step_small, "the bound came first");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Finished {
    /// How many episodes it took.
    pub episodes: u32,
    /// Whether the steps had become small, or else the episodes used up.
    pub step_small: bool,
}
