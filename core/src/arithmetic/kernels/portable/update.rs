//! Operations once per update, or once per new row.

use super::super::super::scalar::Scalar;
use super::super::FloatKernels;

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
