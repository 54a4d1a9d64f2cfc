//! The total projection: the offsets between w and the hyperplanes φᵢ·w = Vᵢ, summed.

use crate::arithmetic::Arithmetic;
use crate::arithmetic::backend::Overflow;

/// G = Σ ((φᵢ·w − Vᵢ)/‖φᵢ‖²) φᵢ, the sum over all rows in order: τ times the paper's TP(w).
///
/// The sum is not divided by τ. The division cancels in ϑ·g; if it does not cancel, it is done once, on a scalar.
///
/// Written to an empty direction. Not inlined: where the arithmetic needs a sum beside it, the stack holds that only
/// while this runs.
#[inline(never)]
pub(crate) fn total_projection<A: Arithmetic, const N: usize>(
    total: &mut A::Direction<N>,
    rows: &[A::Row<N>],
    weights: &[A::Weight; N],
) -> Result<(), Overflow> {
    A::total_residual(total, rows, weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::backend::{Backend, Empty, Features};

    #[test]
    fn two_rows_in_one_dimension() {
        let mut rows = [Empty::EMPTY, Empty::EMPTY];
        for (row, (feature, target)) in rows.iter_mut().zip([(1.0, 2.0), (2.0, 1.0)]) {
            f32::encode(row, Features::Floats(&[feature])).unwrap();
            f32::set_target(row, target).unwrap();
        }
        let mut g = Empty::EMPTY;
        total_projection::<f32, 1>(&mut g, &rows, &[0.0]).unwrap();
        // (0 − 2) · 1 + (0 − 1)/4 · 2 = −2.5, held as −1.25 · 2¹.
        assert_eq!((f32::norm(&g), f32::exponent(&g)), (1.25, 1));
    }
}
