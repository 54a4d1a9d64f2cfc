//! The loops over floats.

use super::super::float::Row;
use super::super::scalar::Scalar;
use super::portable;

/// The float operations that need a fast kernel, in the fixed order of [`portable`].
pub trait FloatKernels: Scalar {
    /// Two powers of two whose product is 2^`exponent`, for exponents of finite floats; the second is 1 whenever one factor
    /// is enough.
    fn power_of_two_factors(exponent: i32) -> (Self, Self);
    /// The larger of |a| and |b|; not finite if either is not.
    fn larger_magnitude(a: Self, b: Self) -> Self;

    /// a · b.
    #[inline]
    fn dot<const N: usize>(a: &[Self; N], b: &[Self; N]) -> Self {
        portable::dot(a, b)
    }
    /// x · x.
    #[inline]
    fn norm_squared<const N: usize>(x: &[Self; N]) -> Self {
        portable::dot(x, x)
    }
    /// a · w and b · w.
    #[inline]
    fn dot_pair<const N: usize>(rows: [&[Self; N]; 2], w: &[Self; N]) -> [Self; 2] {
        rows.map(|row| portable::dot(row, w))
    }
    /// y ← y + p · x.
    #[inline]
    fn add_scaled<const N: usize>(y: &mut [Self; N], p: Self, x: &[Self; N]) {
        portable::add_scaled(y, p, x);
    }
    /// y ← y + ((φ·w − V)/‖φ‖²) φ for every row (φ, V) of the pairs; without `targets`, V = 0.
    #[inline]
    fn add_projections<const N: usize>(y: &mut [Self; N], pairs: &[[Row<Self, N>; 2]], w: &[Self; N], targets: bool) {
        portable::add_projections(y, pairs.as_flattened(), w, targets);
    }
    /// The largest |x|; NaN if any element is NaN.
    #[inline]
    fn largest<const N: usize>(x: &[Self; N]) -> Self {
        portable::largest(x)
    }
    /// x ← x · factor.
    #[inline]
    fn multiply<const N: usize>(x: &mut [Self; N], factor: Self) {
        portable::multiply(x, factor);
    }
    /// x. What the compiler calls for it takes as long as arithmetic.
    #[inline]
    fn copied<const N: usize>(x: &[Self; N]) -> [Self; N] {
        *x
    }
    /// a − b.
    #[inline]
    fn difference<const N: usize>(a: &[Self; N], b: &[Self; N]) -> [Self; N] {
        core::array::from_fn(|i| a[i] - b[i])
    }
    /// x · 2^exponent, for exponents of finite floats.
    #[inline]
    fn scaled_all<const N: usize>(x: &[Self; N], exponent: i32) -> [Self; N] {
        let mut scaled = *x;
        Self::scale_in_place(&mut scaled, exponent);
        scaled
    }
    /// y ← x · 2^exponent, for exponents of finite floats.
    #[inline]
    fn scale_into<const N: usize>(y: &mut [Self; N], x: &[Self; N], exponent: i32) {
        y.copy_from_slice(x);
        Self::scale_in_place(y, exponent);
    }
    /// x ← x · 2^exponent, for exponents of finite floats.
    #[inline]
    fn scale_in_place<const N: usize>(x: &mut [Self; N], exponent: i32) {
        let (first, second) = Self::power_of_two_factors(exponent);
        // It is 1 unless the largest element is subnormal, or so close to the end of the range that two factors are
        // needed. The smaller factor comes first: it is exact, so only the larger one rounds.
        if second != Self::ONE {
            Self::multiply(x, second);
        }
        Self::multiply(x, first);
    }
    /// Whether all of weights + (beta · velocity − gain · direction) are finite.
    #[inline]
    fn step_is_finite<const N: usize>(
        w: &[Self; N],
        velocity: &[Self; N],
        d: &[Self; N],
        gain: Self,
        beta: Self,
    ) -> bool {
        portable::step_is_finite(w, velocity, d, gain, beta)
    }
    /// velocity ← beta · velocity − gain · direction, weights ← weights + velocity.
    #[inline]
    fn step<const N: usize>(w: &mut [Self; N], velocity: &mut [Self; N], d: &[Self; N], gain: Self, beta: Self) {
        portable::step(w, velocity, d, gain, beta);
    }
    /// mean ← mean + gain · (weights − mean), in this order, of finite numbers. Returns whether all means still are.
    #[inline]
    fn average_step<const N: usize>(mean: &mut [Self; N], weights: &[Self; N], gain: Self) -> bool {
        portable::average_step(mean, weights, gain)
    }
    /// trace ← gamma · trace + inverse · x, then sum ← (sum + quotient · x) − reward · trace.
    #[inline]
    fn trace_step<const N: usize>(trace: &mut [Self; N], sum: &mut [Self; N], x: &[Self; N], factors: [Self; 4]) {
        portable::trace_step(trace, sum, x, factors);
    }
    /// Whether all of the sums of a [`trace_step`](Self::trace_step) are finite.
    fn trace_step_is_finite(trace: &[Self], sum: &[Self], x: &[Self], factors: [Self; 4]) -> bool;
    /// Whether all of w − p · x are finite.
    fn difference_is_finite(w: &[Self], x: &[Self], p: Self) -> bool;
    /// Means that are not finite start again at the weights.
    fn replace_infinite(mean: &mut [Self], weights: &[Self]);
}

macro_rules! bit_patterns {
    ($float:ident, $bits:ident) => {
        #[inline]
        fn power_of_two_factors(exponent: i32) -> (Self, Self) {
            const FRACTION_BITS: u32 = $float::MANTISSA_DIGITS - 1;
            const LIMIT: i32 = $float::MAX_EXP - 2;
            let power = |e: i32| $float::from_bits((e.wrapping_add(LIMIT + 1) as $bits) << FRACTION_BITS);
            let first = exponent.clamp(-LIMIT, LIMIT);
            (power(first), power(exponent.wrapping_sub(first)))
        }
        #[inline]
        fn larger_magnitude(a: Self, b: Self) -> Self {
            let magnitude = |x: $float| x.to_bits() & ($bits::MAX >> 1);
            $float::from_bits(magnitude(a).max(magnitude(b)))
        }
        // Few steps need these: compiled once, here, and not unrolled with the application.
        #[cold]
        #[inline(never)]
        fn trace_step_is_finite(trace: &[Self], sum: &[Self], x: &[Self], factors: [Self; 4]) -> bool {
            $crate::arithmetic::kernels::portable::trace_step_is_finite(trace, sum, x, factors)
        }
        #[cold]
        #[inline(never)]
        fn difference_is_finite(w: &[Self], x: &[Self], p: Self) -> bool {
            w.iter().zip(x).all(|(&w, &x)| (w - p * x).is_finite())
        }
        #[cold]
        #[inline(never)]
        fn replace_infinite(mean: &mut [Self], weights: &[Self]) {
            mean.iter_mut().zip(weights).filter(|(mean, _)| !mean.is_finite()).for_each(|(mean, w)| *mean = *w);
        }
    };
}

impl FloatKernels for f64 {
    bit_patterns!(f64, u64);
}

#[cfg(not(has_vfp))]
impl FloatKernels for f32 {
    bit_patterns!(f32, u32);
}
