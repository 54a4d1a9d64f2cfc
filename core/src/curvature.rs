//! The curvature step: how far the osculating circle of the descent path reaches along g.

use crate::arithmetic::{Arithmetic, Overflow, Scalar};
use crate::batch::Rows;

/// C = Σ ((φᵢ·d)/‖φᵢ‖²) φᵢ for the mantissas d of a direction: the rows' H applied to it, times τ.
///
/// With d = G this is −τ²·ΔTP(w) of the paper, by linearity; never a difference of two projections, which cancels.
///
/// # Errors
/// [`Overflow`] where the sum leaves the format's range; for mantissas near 1 it cannot.
///
/// ```
/// use osculate::{Arithmetic, Batch, Scalar, curvature::change_along, projection::total_projection};
/// let mut batch = Batch::<f32, 1, 2>::new();
/// batch.push(&[1.0], 2.0).unwrap();
/// batch.push(&[2.0], 1.0).unwrap();
/// let g = total_projection(&batch, &[0.0]).unwrap();
/// let c = change_along(&batch, &g).unwrap();
/// // In one dimension each of the two rows gives the whole of d back.
/// assert_eq!(f32::norm(&c).scaled(f32::exponent(&c)), 2.0 * f32::norm(&g));
/// ```
#[inline(always)]
pub fn change_along<A: Arithmetic, const N: usize>(
    rows: &impl Rows<A, N>,
    direction: &A::Direction<N>,
) -> Result<A::Direction<N>, Overflow> {
    let mut sum = A::change_sum();
    A::accumulate_along(&mut sum, rows.rows(), direction);
    A::close(sum)
}

/// The lengths of G = τ·g and of C = τ²·c, in the units of the weights, and their ratio.
///
/// ```
/// use osculate::{Batch, curvature::Curvature, projection::total_projection};
/// let mut batch = Batch::<f32, 1, 1>::new();
/// batch.push(&[4.0], 8.0).unwrap();
/// let g = total_projection(&batch, &[0.0]).unwrap();
/// let one_row = Curvature::measure(&batch, &g).unwrap();
/// assert_eq!((one_row.total, one_row.ratio), (2.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Curvature<S> {
    /// ‖G‖.
    pub total: S,
    /// ‖C‖.
    pub change: S,
    /// ‖G‖/‖C‖; 1/τ where G is zero, not finite where only C is.
    pub ratio: S,
}

impl<S: Scalar> Curvature<S> {
    /// From the rows of one batch and their total projection G.
    ///
    /// # Errors
    /// [`Overflow`] where a norm leaves the format's range.
    pub fn measure<A: Arithmetic<Scalar = S>, const N: usize>(
        rows: &impl Rows<A, N>,
        total: &A::Direction<N>,
    ) -> Result<Self, Overflow> {
        let count = rows.count() as u32;
        let norm = A::norm(total);
        let scaled = norm.scaled(A::exponent(total));
        // One row: H maps g to itself. No g: nothing to bend.
        if count <= 1 || norm == S::ZERO {
            return Ok(Self { total: scaled, change: scaled, ratio: S::ONE / S::from_count(count) });
        }
        let change = change_along(rows, total)?;
        let change_norm = A::norm(&change).scaled(A::exponent(&change));
        Ok(Self { total: scaled, change: change_norm.scaled(A::exponent(total)), ratio: norm / change_norm })
    }
}

/// Running averages of ‖G‖ and ‖C‖ over past batches: a curvature that is known before the next batch is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PastCurvature<S> {
    total: S,
    change: S,
    count: u32,
}

impl<S: Scalar> Default for PastCurvature<S> {
    fn default() -> Self {
        Self { total: S::ZERO, change: S::ZERO, count: 0 }
    }
}

impl<S: Scalar> PastCurvature<S> {
    /// Takes one more pair of lengths into the averages. The weight of the past settles at 49 in 50.
    ///
    /// A length that is out of the format's range is no information, and would stay in the averages for ever.
    pub(crate) fn observe(&mut self, total: S, change: S) {
        if !(total.is_finite() && change.is_finite()) {
            return;
        }
        let least = S::from_ratio(1, 50);
        let share = S::ONE / S::from_count(self.count.saturating_add(1));
        let share = if share < least { least } else { share };
        self.total = self.total + share * (total - self.total);
        self.change = self.change + share * (change - self.change);
        self.count = self.count.saturating_add(1);
    }

    /// The ratio of the averages, at the most `cap`; before there are any, 1/τ.
    ///
    /// The same where no curvature was seen yet, as when two one-hot episodes share no state.
    pub(crate) fn ratio(&self, tau: u32, cap: S) -> S {
        if self.total == S::ZERO || self.change == S::ZERO {
            return S::ONE / S::from_count(tau);
        }
        // Infinite where there is no such quotient, and cut like any other.
        let ratio = self.total / self.change;
        if ratio < cap { ratio } else { cap }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_past_is_averaged_capped_and_never_infinite() {
        let mut past = PastCurvature::default();
        assert_eq!(past.ratio(4, 1e6), 0.25, "nothing seen yet: one over the number of rows");
        past.observe(6.0_f32, 2.0);
        past.observe(f32::INFINITY, 1.0);
        assert_eq!((past.ratio(4, 1e6), past.ratio(4, 2.5)), (3.0, 2.5));
        past.observe(2.0, 6.0);
        assert_eq!(past.ratio(4, 1e6), 1.0);
    }
}
