//! Episodes: their results, and the progress of the current one.

use core::fmt::{Display, Formatter, Result};

use crate::arithmetic::Arithmetic;
use crate::arithmetic::backend::{Empty, Persist, Scalar};

/// Why an episode ended.
///
/// ```
/// use osculate::End;
/// assert_ne!(End::Terminal, End::Truncated);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum End {
    /// The world ended it: [`Agent::end`](crate::Agent::end).
    Terminal,
    /// It was cut short: [`Agent::truncate`](crate::Agent::truncate).
    Truncated,
    /// It was cut short because there was no room for another step.
    Full,
}

impl Display for End {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Terminal => "ended",
            Self::Truncated => "truncated",
            Self::Full => "full",
        })
    }
}

/// The result of an episode.
///
/// ```
/// use osculate::features::{OneHot, PerAction};
/// use osculate::{ActionValues, Agent, End, Exploration, Streaming, StreamingConfig};
/// let policy = ActionValues::new(2, PerAction::new(OneHot::<2>));
/// let mut agent = Agent::new(Streaming::<f32, 4>::new(StreamingConfig::DEFAULT), policy, Exploration::NONE, 1);
/// agent.begin(&0).unwrap();
/// agent.step(0.5, &1).unwrap();
/// agent.finish_with(2.0);
/// let episode = agent.end();
/// assert!(episode.to_string().starts_with("2 steps, return 2.4, ended; update 1: 2 rows"));
/// assert_eq!((episode.steps, episode.end, episode.discounted_return), (2, End::Terminal, Some(0.5 + 0.95 * 2.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Episode<R> {
    /// Completed actions, with or without a reward.
    pub steps: u32,
    /// Actions drawn at random (which may also have been the best ones).
    pub explored: u32,
    /// Actions of a fallback rule, outside of an [`Envelope`](crate::Envelope). None of them counts as explored.
    pub fallbacks: u32,
    /// Missing samples: calls of [`Agent::missed`](crate::Agent::missed).
    pub missed: u32,
    /// R₁ + γ R₂ + γ² R₃ … of the rewards that came: a step without one is left out, and nothing is discounted for it.
    /// `None` if there was no reward, or if the sum left a float's range. In fixed point it saturates.
    pub discounted_return: Option<f32>,
    /// Why it ended.
    pub end: End,
    /// The rule's report: an [`Update`](crate::Update), or a [`TrackingReport`](crate::TrackingReport).
    pub report: R,
}

/// `60 steps, 3 explored, return -4.5, ended; update 3: 12 rows …`: the counts that are not 0, and the rule's report.
impl<R: Display> Display for Episode<R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} steps", self.steps)?;
        for (count, what) in [(self.explored, "explored"), (self.fallbacks, "fallbacks"), (self.missed, "missed")] {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        if let Some(sum) = self.discounted_return {
            write!(f, ", return {sum}")?;
        }
        write!(f, ", {}; {}", self.end, self.report)
    }
}

/// The progress of the current episode.
#[derive(Clone, Debug)]
pub(super) struct Progress<A: Arithmetic> {
    pub(super) episodes: u32,
    pub(super) steps: u32,
    pub(super) explored: u32,
    pub(super) fallbacks: u32,
    pub(super) missed: u32,
    pub(super) action: u32,
    pub(super) acting: bool,
    pub(super) rewarded: bool,
    pub(super) discounted_return: A::Number,
    pub(super) discount: A::Scalar,
}

impl<A: Arithmetic> Progress<A> {
    pub(super) const START: Self = Self {
        episodes: 0,
        steps: 0,
        explored: 0,
        fallbacks: 0,
        missed: 0,
        action: 0,
        acting: false,
        rewarded: false,
        discounted_return: A::Number::EMPTY,
        discount: A::Scalar::ONE,
    };
}

impl<A: Arithmetic> Persist for Progress<A> {
    crate::state::persist!(fields episodes: u32, steps: u32, explored: u32, fallbacks: u32, missed: u32, action: u32,
        acting: bool, rewarded: bool, discounted_return: A::Number, discount: A::Scalar);
}
