//! A pass over all rows.

use super::super::super::float::Row;
use super::super::super::scalar::Scalar;
use super::{add_scaled, dot};

/// y ← y + ((φ·w − V)/‖φ‖²) φ for every row (φ, V) in order; without `targets`, V = 0.
#[inline]
pub fn add_projections<T: Scalar, const N: usize>(y: &mut [T; N], rows: &[Row<T, N>], w: &[T; N], targets: bool) {
    for row in rows {
        let product = dot(&row.features, w);
        let product = if targets { product - row.target } else { product };
        add_scaled(y, product / row.norm_squared, &row.features);
    }
}
