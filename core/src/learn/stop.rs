//! A stopping test: the steps have become small.

use super::update::{Update, Verdict};

/// Detects when ‖w_k − w_{k−1}‖ has stayed at or below a tolerance for several steps in a row.
///
/// It means "the step is small", never "w* is reached": steps also become small because η decays. Skipped or refused
/// updates are ignored.
///
/// ```
/// use osculate::{Log, Predictor, StopTest, Stored, StoredConfig};
/// let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<f32, 2, 1, 3>::NEW));
/// let mut stop = StopTest::new(1e-2, 5, 3);
/// // Always set a bound: if every update is skipped, no step is ever small.
/// let stopped = (0..100).any(|_| {
///     for (features, value) in [([1.0, 0.0], 1.0), ([2.0, 1.0], 3.0), ([0.0, 1.0], 2.0)] {
///         predictor.learn(value, &features).unwrap();
///     }
///     let update = predictor.end();
///     stop.observe(&update, predictor.step_length())
/// });
/// assert!(stopped);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StopTest {
    tolerance: f32,
    least_steps: u32,
    needed: u32,
    hits: u32,
}

impl StopTest {
    /// Never before `least_steps`, and only after `needed` small steps in a row.
    pub const fn new(tolerance: f32, least_steps: u32, needed: u32) -> Self {
        Self { tolerance, least_steps, needed, hits: 0 }
    }

    /// Takes one update and its step length into account. Returns whether the steps have become small.
    pub fn observe(&mut self, update: &Update, step_length: f32) -> bool {
        if update.verdict == Verdict::Stepped {
            self.hits = if step_length <= self.tolerance { self.hits.saturating_add(1) } else { 0 };
        }
        update.k >= self.least_steps && self.hits >= self.needed.max(1)
    }
}
