//! The statistics of the errors |δ|/‖φ‖: their mean, their mean square, and a CUSUM that tells when they stay large.

use crate::arithmetic::backend::Scalar;

/// Errors before their mean counts as known.
pub(super) const FIRST: u32 = 16;
/// The mean error has a memory of so many rows.
pub(super) const MEMORY: u32 = 200;
/// And the mean square of so many.
const SQUARES: u32 = 100;
/// The allowance of the CUSUM: errors up to this many times their mean are usual.
const ALLOWANCE: f32 = 1.75;
/// A CUSUM above this needs an explanation.
const THRESHOLD: f32 = 8.0;
/// An error counts as at most 2 to this power times the mean.
const MOST: i32 = 2;

/// The errors so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Errors<S> {
    /// s̄, the mean error.
    pub(super) mean: S,
    /// C, the CUSUM of |δ|/(‖φ‖s̄) − 1.75, never below 0.
    pub(super) cusum: S,
    /// s², the mean square, if γ = 0.
    pub(super) mean_square: S,
    /// Rows learned from.
    pub(super) rows: u32,
    /// Errors seen, at most [`MEMORY`] and at most as many as rows; 16 after a probe.
    pub(super) count: u32,
}

impl<S: Scalar> Errors<S> {
    /// Before the first row.
    pub(super) const NONE: Self = Self { mean: S::ZERO, cusum: S::ZERO, mean_square: S::ZERO, rows: 0, count: 0 };

    /// A row and its finite error, with or without its square. Returns whether the errors have been so large for so long that
    /// they need an explanation.
    #[inline(never)]
    pub(super) fn observe(&mut self, error: S, squares: bool) -> bool {
        self.pass();
        if squares {
            let square = error.times(error);
            if square.is_finite() {
                self.mean_square =
                    self.mean_square.plus(share::<S>(self.rows, SQUARES).times(square.minus(self.mean_square)));
            }
        }
        self.count = if self.count < MEMORY { self.count + 1 } else { MEMORY };
        if self.count <= FIRST {
            self.mean = self.mean.plus(error.minus(self.mean).over(S::from_count(self.count)));
            return S::from(THRESHOLD).below(self.cusum);
        }
        let most = self.mean.scaled_here(MOST);
        let bounded = if error.below(most) { error } else { most };
        self.mean = self.mean.plus(share::<S>(self.count, MEMORY).times(bounded.minus(self.mean)));
        // Where there is no error at all, there is nothing to compare with, and no alarm.
        if S::ZERO.below(self.mean) {
            let cusum = self.cusum.plus(bounded.over(self.mean).minus(S::from(ALLOWANCE)));
            self.cusum = if S::ZERO.below(cusum) { cusum } else { S::ZERO };
        }
        S::from(THRESHOLD).below(self.cusum)
    }

    /// A row without a finite error.
    pub(super) fn pass(&mut self) {
        self.rows = self.rows.saturating_add(1);
    }
}

/// 1 / `count`, but not less than 1 / `most`: a constant in the long run.
#[inline(always)]
fn share<S: Scalar>(count: u32, most: u32) -> S {
    if count < most { one_over(count) } else { S::from_ratio(1, most) }
}

/// 1 / `count`, by a call: the compiler takes a division for cheap, and would always make it.
#[cold]
#[inline(never)]
fn one_over<S: Scalar>(count: u32) -> S {
    S::from_ratio(1, count)
}
