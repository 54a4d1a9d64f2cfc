//! Operations on single rows: dot products, and a multiple added to a sum.

use super::super::super::scalar::Scalar;

const LANES: usize = 4;

/// a · b of float vectors of the same length, in the fixed order.
#[inline]
pub fn dot<T: Scalar>(a: &[T], b: &[T]) -> T {
    let mut lanes = [T::ZERO; LANES];
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        lanes[i % LANES] = lanes[i % LANES] + *a * *b;
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

/// y ← y + factor · x, element by element: one product and one sum each.
#[inline]
pub fn add_scaled<T: Scalar>(y: &mut [T], factor: T, x: &[T]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = *y + factor * *x;
    }
}
