//! The total projection: where the hyperplanes φᵢ·w = Vᵢ lie, seen from w.

use crate::arithmetic::{Arithmetic, Overflow};
use crate::batch::Rows;

/// G = Σ ((φᵢ·w − Vᵢ)/‖φᵢ‖²) φᵢ, the sum over all rows in their order: τ times the paper's TP(w).
///
/// The sum is left undivided. A division by τ cancels in ϑ·g, so it is made once, on a scalar, where it does not.
///
/// # Errors
/// [`Overflow`] where a residual or the sum leaves the format's range.
///
/// ```
/// use osculate::{Arithmetic, Batch, projection::total_projection};
/// let mut batch = Batch::<f32, 1, 2>::new();
/// batch.push(&[1.0], 2.0).unwrap();
/// batch.push(&[2.0], 1.0).unwrap();
/// let g = total_projection(&batch, &[0.0]).unwrap();
/// // (0 − 2) · 1 + (0 − 1)/4 · 2 = −2.5, held as −1.25 · 2¹.
/// assert_eq!((f32::norm(&g), f32::exponent(&g)), (1.25, 1));
/// ```
#[inline(always)]
pub fn total_projection<A: Arithmetic, const N: usize>(
    rows: &impl Rows<A, N>,
    weights: &[A::Weight; N],
) -> Result<A::Direction<N>, Overflow> {
    let mut sum = A::residual_sum();
    A::accumulate_residuals(&mut sum, rows.rows(), weights);
    A::close(sum)
}
