//! Who takes part: anything that learns values from the steps of episodes.

use std::fmt;
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

/// What has been learned so far.
#[derive(Clone, Debug)]
pub struct Learned {
    /// w.
    pub w: Vec<f64>,
    /// How many numbers have saturated.
    pub saturated: u32,
}

/// A learner of values.
pub struct Contender {
    /// What it knows.
    pub learned: Learned,
    /// Learns from a step of an episode and what follows it: the next step, or nothing at the end.
    rule: Box<dyn FnMut(&mut Learned, &Step, Option<&Step>)>,
}

impl Contender {
    /// A rule for steps, which begins with w = 0.
    pub fn steps(n: usize, rule: impl FnMut(&mut Learned, &Step, Option<&Step>) + 'static) -> Self {
        Self { learned: Learned { w: vec![0.0; n], saturated: 0 }, rule: Box::new(rule) }
    }

    /// A rule for rows of features and targets, fed with the returns of first visits.
    pub fn rows(n: usize, mut rule: impl FnMut(&mut [f64], &[f32], f32) + 'static) -> Self {
        Self::steps(n, move |learned, step, _| {
            if step.first {
                rule(&mut learned.w, &step.phi, step.target);
            }
        })
    }

    /// Learns from a step and the next one, if it is not the last of its episode.
    pub fn learn(&mut self, step: &Step, next: Option<&Step>) {
        (self.rule)(&mut self.learned, step, next);
    }

    /// Learns from an episode.
    pub fn learn_all(&mut self, episode: &[Step]) {
        for (t, step) in episode.iter().enumerate() {
            self.learn(step, episode.get(t + 1));
        }
    }
}

impl fmt::Debug for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.learned.fmt(f)
    }
}

/// φ·w.
pub fn product(phi: &[f32], w: &[f64]) -> f64 {
    phi.iter().zip(w).map(|(&x, w)| f64::from(x) * w).sum()
}
