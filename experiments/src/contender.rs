//! Who takes part: anything that learns values from the steps of episodes.

use std::sync::Arc;

/// One step of an episode.
#[derive(Clone, Debug)]
pub struct Step {
    /// The number of the state.
    pub state: u32,
    /// φ.
    pub phi: Arc<[f32]>,
    /// The reward that follows.
    pub reward: f32,
    /// The return that follows.
    pub target: f32,
    /// Whether it is the first visit to this state in the episode.
    pub first: bool,
}

impl Step {
    /// A row with a given target.
    pub fn row(phi: impl Into<Arc<[f32]>>, target: f32) -> Self {
        Self { state: 0, phi: phi.into(), reward: target, target, first: true }
    }
}

/// A learner of values.
pub trait Contender {
    /// w.
    fn weights(&self) -> &[f64];

    /// Learns from a step of an episode and what follows it: the next step, or nothing at the end.
    fn learn(&mut self, step: &Step, next: Option<&Step>);

    /// How many numbers have saturated so far.
    fn saturated(&self) -> u32 {
        0
    }
}

/// Learns from an episode.
pub fn learn(contender: &mut dyn Contender, episode: &[Step]) {
    for (t, step) in episode.iter().enumerate() {
        contender.learn(step, episode.get(t + 1));
    }
}

/// A rule for rows of features and targets.
pub trait Filter {
    /// w.
    fn weights(&self) -> &[f64];
    /// Learns from a row.
    fn learn(&mut self, phi: &[f32], target: f32);
}

/// A rule for rows, fed with the returns of first visits.
pub struct MonteCarlo<F>(pub F);

impl<F: Filter> Contender for MonteCarlo<F> {
    fn weights(&self) -> &[f64] {
        self.0.weights()
    }

    fn learn(&mut self, step: &Step, _: Option<&Step>) {
        if step.first {
            self.0.learn(&step.phi, step.target);
        }
    }
}

/// φ·w.
pub fn product(phi: &[f32], w: &[f64]) -> f64 {
    phi.iter().zip(w).map(|(&x, w)| f64::from(x) * w).sum()
}
