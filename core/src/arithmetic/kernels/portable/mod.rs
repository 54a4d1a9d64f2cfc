//! Plain loops, each in a fixed order, so that results are bit-exact on every target and in every faster twin.
//!
//! Sums run in four lanes (element i goes to lane i mod 4) that are combined as (l0 + l1) + (l2 + l3): a pipelined FPU
//! needs four independent chains. No multiply-add is ever fused.

#[cfg(feature = "fixed-point")]
pub mod integers;

use super::super::row::Row;
use super::super::scalar::Scalar;
use super::FloatKernels;

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

/// y ← y + ((φ·w − V)/‖φ‖²) φ for every row (φ, V) in order; without `targets`, V = 0.
#[inline]
pub fn add_projections<T: Scalar, const N: usize>(y: &mut [T; N], rows: &[Row<T, N>], w: &[T; N], targets: bool) {
    for row in rows {
        let product = dot(&row.features, w);
        let product = if targets { product - row.target } else { product };
        add_scaled(y, product / row.norm_squared, &row.features);
    }
}

/// The largest |x|; NaN if any element is NaN.
#[inline]
pub fn largest<T: FloatKernels>(x: &[T]) -> T {
    // The bit patterns of magnitudes are ordered like the magnitudes, and NaN comes after infinity.
    x.iter().fold(T::ZERO, |most, x| T::larger_magnitude(most, *x))
}

/// x ← x · factor, element by element.
#[inline]
pub fn multiply<T: FloatKernels>(x: &mut [T], factor: T) {
    x.iter_mut().for_each(|x| *x = *x * factor);
}

/// Whether all of weights + (beta · velocity − gain · direction) are finite.
#[expect(clippy::eq_op, reason = "that is how to tell")]
#[inline]
pub fn step_is_finite<T: Scalar>(weights: &[T], velocity: &[T], direction: &[T], gain: T, beta: T) -> bool {
    let mut doubt = T::ZERO;
    for ((w, velocity), g) in weights.iter().zip(velocity).zip(direction) {
        let next = *w + (beta * *velocity - gain * *g);
        // Infinity minus itself is NaN, and so is any sum with it.
        doubt = doubt + (next - next);
    }
    doubt == T::ZERO
}

/// velocity ← beta · velocity − gain · direction, weights ← weights + velocity.
#[inline]
pub fn step<T: Scalar>(weights: &mut [T], velocity: &mut [T], direction: &[T], gain: T, beta: T) {
    for ((w, velocity), g) in weights.iter_mut().zip(velocity).zip(direction) {
        *velocity = beta * *velocity - gain * *g;
        *w = *w + *velocity;
    }
}

/// mean ← mean + gain · (weights − mean). Returns whether all of them are finite.
#[inline]
pub fn average_step<T: Scalar>(mean: &mut [T], weights: &[T], gain: T) -> bool {
    let mut finite = true;
    for (mean, w) in mean.iter_mut().zip(weights) {
        *mean = *mean + gain * (*w - *mean);
        finite &= mean.is_finite();
    }
    finite
}

/// trace ← gamma · trace + inverse · x, then sum ← (sum + quotient · x) − reward · trace.
#[inline]
pub fn trace_step<T: Scalar>(trace: &mut [T], sum: &mut [T], x: &[T], [gamma, inverse, quotient, reward]: [T; 4]) {
    for ((z, sum), x) in trace.iter_mut().zip(sum).zip(x) {
        *z = gamma * *z + inverse * *x;
        *sum = (*sum + quotient * *x) - reward * *z;
    }
}

/// Whether all sums of a [`trace_step`] are finite.
#[inline(always)]
pub fn trace_step_is_finite<T: Scalar>(trace: &[T], sum: &[T], x: &[T], factors: [T; 4]) -> bool {
    let [gamma, inverse, quotient, reward] = factors;
    let mut all = trace.iter().zip(sum).zip(x);
    all.all(|((&z, &sum), &x)| ((sum + quotient * x) - reward * (gamma * z + inverse * x)).is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_has_the_pinned_order() {
        // In a single chain in index order, the small terms would vanish one by one against 2²⁴.
        let big = 16_777_216.0_f32;
        let ones = [1.0_f32; 8];
        let x = [big, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0];
        assert_eq!(dot(&x, &ones), (big + (1.0 + 1.0)) + 1.0);
        let y = [big, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        assert_eq!(dot(&y, &ones), big, "elements 0 and 4 share a lane");
    }

    #[test]
    fn largest_sees_everything() {
        assert_eq!(largest(&[0.5_f32, -2.0, 1.0]), 2.0);
        assert!(!Scalar::is_finite(largest(&[0.5_f32, f32::NAN, f32::INFINITY])));
        assert!(!Scalar::is_finite(largest(&[f64::NEG_INFINITY, 1.0])));
        assert_eq!(largest(&[0.0_f64, -0.0]).to_bits(), 0);
    }
}
