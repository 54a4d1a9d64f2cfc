//! Who takes part: anything that learns values from the steps of episodes.

use std::sync::Arc;

/// One step of an episode.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The number of the state.
    pub(crate) state: u32,
    pub(crate) phi: Arc<[f32]>,
    /// The reward that follows.
    pub(crate) reward: f32,
    /// The return that follows.
    pub(crate) target: f32,
    /// Whether it is the first visit to this state in the episode.
    pub(crate) first: bool,
}

impl Step {
    /// A row with a given target.
    pub(crate) fn row(phi: impl Into<Arc<[f32]>>, target: f32) -> Self {
        Self { state: 0, phi: phi.into(), reward: target, target, first: true }
    }
}

/// What has been learned so far.
pub(crate) struct Learned {
    pub(crate) w: Vec<f64>,
    /// How many numbers have saturated.
    pub(crate) saturated: u32,
    /// Whether the present episode has begun before this step.
    pub(crate) is_on_its_way: bool,
}

/// Learns from a step of an episode and what follows it: the next step, or nothing at the end.
type Rule = dyn FnMut(&mut Learned, &Step, Option<&Step>);

/// A learner of values.
pub(crate) struct Contender {
    /// What figures call it; empty where a table knows better.
    pub(crate) name: String,
    pub(crate) learned: Learned,
    rule: Box<Rule>,
}

impl Contender {
    /// A rule for steps, which begins with w = 0.
    pub(crate) fn steps(n: usize, rule: impl FnMut(&mut Learned, &Step, Option<&Step>) + 'static) -> Self {
        let learned = Learned { w: vec![0.0; n], saturated: 0, is_on_its_way: false };
        Self { name: String::new(), learned, rule: Box::new(rule) }
    }

    /// A rule for rows of features and targets, fed with the returns of first visits.
    pub(crate) fn rows(n: usize, mut rule: impl FnMut(&mut [f64], &[f32], f32) + 'static) -> Self {
        Self::steps(n, move |learned, step, _| {
            if step.first {
                rule(&mut learned.w, &step.phi, step.target);
            }
        })
    }

    /// The same by a name.
    pub(crate) fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Learns from a step and the next one, if it is not the last of its episode.
    pub(crate) fn learn(&mut self, step: &Step, next: Option<&Step>) {
        (self.rule)(&mut self.learned, step, next);
        self.learned.is_on_its_way = next.is_some();
    }

    /// Learns from an episode.
    pub(crate) fn learn_all(&mut self, episode: &[Step]) {
        for (t, step) in episode.iter().enumerate() {
            self.learn(step, episode.get(t + 1));
        }
    }
}

/// φ·w.
pub(crate) fn product(phi: &[f32], w: &[f64]) -> f64 {
    phi.iter().zip(w).map(|(&x, w)| f64::from(x) * w).sum()
}
