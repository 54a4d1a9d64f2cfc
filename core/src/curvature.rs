//! The curvature step: how far the osculating circle of the descent path reaches along g.

use crate::arithmetic::{Arithmetic, Overflow, Scalar};

/// C = Σ ((φᵢ·d)/‖φᵢ‖²) φᵢ for the mantissas d of a direction: the rows' H applied to it, times τ.
///
/// With d = G this is −τ²·ΔTP(w) of the paper, by linearity; never a difference of two projections, which cancels.
///
/// # Errors
/// [`Overflow`] where the sum leaves the format's range; for mantissas near 1 it cannot.
///
/// ```
/// use osculate::{Arithmetic, Batch, curvature::change_along, projection::total_projection};
/// let mut batch = Batch::<f32, 1, 2>::new();
/// batch.push(&[1.0], 2.0).unwrap();
/// batch.push(&[2.0], 1.0).unwrap();
/// let g = total_projection::<f32, 1>(batch.rows(), &[0.0]).unwrap();
/// let c = change_along::<f32, 1>(batch.rows(), &g).unwrap();
/// // In one dimension each of the two rows gives the whole of d back.
/// assert_eq!(f32::norm(&c).scaled(f32::exponent(&c)), 2.0 * f32::norm(&g));
/// # use osculate::Scalar;
/// ```
pub fn change_along<A: Arithmetic, const N: usize>(
    rows: &[A::Row<N>],
    direction: &A::Direction<N>,
) -> Result<A::Direction<N>, Overflow> {
    let mut sum = A::change_sum();
    for row in rows {
        A::accumulate(&mut sum, A::along(row, direction), row);
    }
    A::close(sum)
}

/// What the curvature pass finds out about a batch and a direction g.
///
/// ```
/// use osculate::{Batch, curvature::Curvature, projection::total_projection};
/// let mut batch = Batch::<f32, 1, 1>::new();
/// batch.push(&[4.0], 8.0).unwrap();
/// let g = total_projection::<f32, 1>(batch.rows(), &[0.0]).unwrap();
/// let one_row = Curvature::measure::<f32, 1>(batch.rows(), &g).unwrap();
/// assert_eq!((one_row.g_norm, one_row.theta), (2.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Curvature<S> {
    /// ‖g‖ = ‖TP(w)‖, in the units of the weights.
    pub g_norm: S,
    /// ‖c‖ = ‖ΔTP(w)‖, in the units of the weights.
    pub c_norm: S,
    /// ϑ = ‖g‖/‖c‖ ≥ 1. Where both are zero it is 1; where only c is, it is not finite.
    pub theta: S,
}

impl<S: Scalar> Curvature<S> {
    /// Both norms and ϑ from the rows of one batch and their total projection G.
    ///
    /// # Errors
    /// [`Overflow`] where a norm leaves the format's range.
    pub fn measure<A: Arithmetic<Scalar = S>, const N: usize>(
        rows: &[A::Row<N>],
        total: &A::Direction<N>,
    ) -> Result<Self, Overflow> {
        let count = rows.len() as u32;
        let tau = S::from_count(count);
        let norm = A::norm(total);
        let g_norm = norm.scaled(A::exponent(total)) / tau;
        // One row: H maps g to itself. No g: nothing to bend.
        if count <= 1 || norm == S::ZERO {
            return Ok(Self { g_norm, c_norm: g_norm, theta: S::ONE });
        }
        let change = change_along::<A, N>(rows, total)?;
        let change_norm = A::norm(&change).scaled(A::exponent(&change));
        let c_norm = change_norm.scaled(A::exponent(total)) / tau / tau;
        let theta = tau * (norm / change_norm);
        // H ≤ I makes ϑ ≥ 1; rounding alone can say otherwise.
        let theta = if theta < S::ONE { S::ONE } else { theta };
        Ok(Self { g_norm, c_norm, theta })
    }
}
