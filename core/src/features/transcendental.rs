//! exp and cos in software, bit-exact on every target.
//!
//! By default they come from `libm`. Its [`expf`](libm::expf) adds, multiplies and divides in `f32`, its
//! [`cosf`](libm::cosf) adds and multiplies in `f64`. Neither takes a different path on any target of this crate, and
//! nothing is fused.
//!
//! The crate feature `micromath` replaces both with approximations that stay in `f32` and are small, because they need
//! no software `f64` arithmetic. Cosines become many times faster on an FPU that supports only `f32` (most Cortex-M4
//! and M33), and a little faster without an FPU; exp is no faster. It changes φ, so weights learned with it are valid
//! only with it.
//!
//! | function | `libm` | `micromath` |
//! | --- | --- | --- |
//! | [`exp`](exp()), relative error on [−87, 88] | 8 · 10⁻⁸ | 2.4 · 10⁻³ |
//! | [`cos_pi`], absolute error | 1.9 · 10⁻⁷ | 1.1 · 10⁻³ |
//!
//! The errors are measured by `host-tests/tests/features.rs` and, for `micromath`, by the unit tests of this
//! module.

use core::f32::consts::PI;

/// eˣ.
///
/// NaN gives NaN. Very large arguments give ∞ and very small ones 0. The exact limits depend on the crate feature
/// `micromath`, but never lie within [−87, 88].
///
/// ```
/// use osculate::features::transcendental::exp;
/// assert_eq!(exp(0.0), 1.0);
/// assert!((exp(-1.0) - 0.36788).abs() < 1e-5);
/// assert_eq!((exp(-200.0), exp(200.0)), (0.0, f32::INFINITY));
/// ```
#[inline]
pub fn exp(x: f32) -> f32 {
    #[cfg(not(feature = "micromath"))]
    return libm::expf(x);
    // micromath turns NaN into numbers, and its exponents wrap around (or fail a debug assertion) outside the range of
    // f32.
    #[cfg(feature = "micromath")]
    return match x {
        -87.0..=88.0 => micromath::F32(x).exp().0,
        x if x < 0.0 => 0.0,
        x if x > 0.0 => f32::INFINITY,
        nan => nan,
    };
}

/// cos(π t), for t in half turns.
///
/// t is first reduced to [0, 1], which is exact, so a large t costs neither time nor accuracy. NaN if t is not finite.
///
/// ```
/// use osculate::features::transcendental::cos_pi;
/// assert_eq!((cos_pi(0.0), cos_pi(1.0), cos_pi(-1001.0)), (1.0, -1.0, -1.0));
/// assert!(cos_pi(0.5).abs() < 1e-6);
/// assert!(cos_pi(f32::INFINITY).is_nan());
/// ```
#[inline]
pub fn cos_pi(t: f32) -> f32 {
    // The nearest even number is at most 1 away; it and the distance to it are exact.
    let distance = (t - 2.0 * libm::rintf(0.5 * t)).abs();
    let angle = distance * PI;
    #[cfg(not(feature = "micromath"))]
    return libm::cosf(angle);
    #[cfg(feature = "micromath")]
    return micromath::F32(angle).cos().0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_range() {
        assert!(exp(f32::NAN).is_nan());
        assert_eq!((exp(f32::INFINITY), exp(f32::NEG_INFINITY)), (f32::INFINITY, 0.0));
        assert_eq!((exp(f32::MAX), exp(f32::MIN)), (f32::INFINITY, 0.0));
        assert!(cos_pi(f32::NAN).is_nan());
        assert_eq!((cos_pi(f32::MAX), cos_pi(16_777_215.0)), (1.0, -1.0));
        assert_eq!((cos_pi(f32::MIN_POSITIVE), cos_pi(-0.0)), (1.0, 1.0));
    }

    #[cfg(feature = "micromath")]
    mod micromath_errors {
        extern crate std;
        use super::*;

        /// Checks the table above from both sides: a smaller error must be documented, too.
        fn is_as_documented(worst: f64, documented: f64) {
            assert!(worst <= documented && worst > 0.9 * documented, "{worst} instead of {documented}");
        }

        #[test]
        fn of_exp() {
            // Steps of 2⁻¹² from −87 to 88: much finer than the structure of the approximation.
            let points = (-87 * 4096..=88 * 4096).map(|i| i as f32 / 4096.0);
            let worst = points.map(|x| (f64::from(exp(x)) / f64::from(x).exp() - 1.0).abs()).fold(0.0, f64::max);
            is_as_documented(worst, 2.4e-3);
        }

        #[test]
        fn of_cos() {
            let points = (0..=1 << 17).map(|i| i as f32 / 65536.0);
            let exact = |t: f32| (f64::from(t) * std::f64::consts::PI).cos();
            let worst = points.map(|t| (f64::from(cos_pi(t)) - exact(t)).abs()).fold(0.0, f64::max);
            is_as_documented(worst, 1.1e-3);
        }
    }
}
