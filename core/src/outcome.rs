//! What an update reports.

use crate::arithmetic::Scalar;

/// What became of a batch. Whatever is not [`Stepped`](Self::Stepped) has left weights, momentum and averages bit-identical.
///
/// ```
/// use osculate::{Batch, Learner, Verdict};
/// let mut learner = Learner::<f32, 2>::default();
/// assert_eq!(learner.update(&Batch::<f32, 2, 4>::new()).verdict, Verdict::Empty);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Verdict {
    /// The weights have moved.
    Stepped,
    /// ‖c‖ was below the threshold, or zero.
    Skipped,
    /// No row was left to learn from.
    Empty,
    /// The step would have left the format's range.
    Overflow,
}

/// What one update did.
///
/// ```
/// use osculate::{Batch, Learner};
/// let mut batch = Batch::<f32, 1, 4>::new();
/// batch.push(&[2.0], 6.0).unwrap();
/// let outcome = Learner::<f32, 1>::default().update(&batch);
/// assert_eq!((outcome.k, outcome.tau, outcome.theta, outcome.g_norm), (1, 1, 1.0, 3.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Outcome<S> {
    /// The update's number, from 1. One that was skipped or refused uses its number up; an empty one does not.
    pub k: u32,
    /// Rows that were learned from.
    pub tau: u32,
    /// Rows that were dropped.
    pub dropped: u32,
    /// Quotients and weights that were cut to the range of a fixed-point format. Floats refuse such a step whole.
    pub saturated: u32,
    /// ‖g‖, the length of the mean projection; 0 where it was not computed.
    pub g_norm: S,
    /// The step ϑ that was taken; 0 where it was not computed. `Paper`: ϑ ≥ 1, a multiple of the mean g. `Predictable`
    /// and streaming: a multiple of the sum of projections, 1/τ before there is a past.
    pub theta: S,
    /// Whether the weights moved, and if not, why.
    pub verdict: Verdict,
}

impl<S: Scalar> Outcome<S> {
    /// Of an update that has not done anything yet.
    pub(crate) fn new(k: u32, tau: u32, dropped: u32) -> Self {
        Self { k, tau, dropped, saturated: 0, g_norm: S::ZERO, theta: S::ZERO, verdict: Verdict::Empty }
    }
}
