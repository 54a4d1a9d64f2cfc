//! When to stop: the steps have become small.

use crate::arithmetic::Scalar;
use crate::outcome::{Outcome, Verdict};

/// Says when ‖w_k − w_{k−1}‖ has stayed at or below a tolerance for several steps in a row.
///
/// It says "the step is small", never "w* is reached": steps become small because η decays, too. Updates that were skipped
/// or refused do not count either way.
///
/// ```
/// use osculate::{Batch, Learner, stop::StopTest};
/// let mut batch = Batch::<f32, 2, 3>::new();
/// for (features, value) in [([1.0, 0.0], 1.0), ([2.0, 1.0], 3.0), ([0.0, 1.0], 2.0)] {
///     batch.push(&features, value).unwrap();
/// }
/// let mut learner = Learner::<f32, 2>::default();
/// let mut stop = StopTest::new(1e-2, 5, 3);
/// // Always with a bound: where every update is skipped, no step is ever small.
/// let stopped = (0..100).any(|_| {
///     let outcome = learner.update(&batch);
///     stop.is_step_small(&outcome, learner.step_length())
/// });
/// assert!(stopped && learner.steps() >= 5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StopTest<S> {
    tolerance: S,
    least_steps: u32,
    needed: u32,
    hits: u32,
}

impl<S: Scalar> StopTest<S> {
    /// Not before `least_steps`, and only after `needed` small steps in a row.
    pub fn new(tolerance: S, least_steps: u32, needed: u32) -> Self {
        Self { tolerance, least_steps, needed, hits: 0 }
    }

    /// Takes one update and the length of its step into account.
    pub fn is_step_small(&mut self, outcome: &Outcome<S>, step_length: S) -> bool {
        if outcome.verdict == Verdict::Stepped {
            self.hits = if step_length <= self.tolerance { self.hits.saturating_add(1) } else { 0 };
        }
        outcome.k >= self.least_steps && self.hits >= self.needed.max(1)
    }
}
