//! The loops over floats.

#[cfg(has_vfp)]
use core::mem::MaybeUninit;

use super::super::scalar::Scalar;
use super::portable;
#[cfg(has_vfp)]
use super::vfp;

/// The float operations that need a fast kernel, in the fixed order of [`portable`].
pub trait FloatKernels: Scalar {
    /// Two powers of two whose product is 2^`exponent`; the second is 1 whenever one factor is enough.
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
    /// y ← (y + p · a) + q · b.
    #[inline]
    fn add_scaled_pair<const N: usize>(y: &mut [Self; N], [p, q]: [Self; 2], [a, b]: [&[Self; N]; 2]) {
        portable::add_scaled(y, p, a);
        portable::add_scaled(y, q, b);
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
    /// y ← x. What the compiler calls for it takes as long as arithmetic.
    #[inline]
    fn copy<const N: usize>(y: &mut [Self; N], x: &[Self; N]) {
        y.copy_from_slice(x);
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
    /// mean ← mean + gain · (weights − mean), in this order. Stops at the first non-finite result and returns how many
    /// elements were done.
    #[inline]
    fn average_step<const N: usize>(mean: &mut [Self; N], weights: &[Self; N], gain: Self) -> usize {
        portable::average_step(mean, weights, gain)
    }
    /// trace ← gamma · trace + inverse · x, then sum ← (sum + quotient · x) − reward · trace.
    #[inline]
    fn trace_step<const N: usize>(trace: &mut [Self; N], sum: &mut [Self; N], x: &[Self; N], factors: [Self; 4]) {
        portable::trace_step(trace, sum, x, factors);
    }
}

/// √x, correctly rounded. The library function is software even if the target has an instruction for it.
#[inline]
pub fn sqrt(x: f32) -> f32 {
    #[cfg(has_vfp)]
    // SAFETY: it only computes with its argument.
    return unsafe { vfp::sqrt(x) };
    #[cfg(not(has_vfp))]
    libm::sqrtf(x)
}

macro_rules! bit_patterns {
    ($float:ident, $bits:ident) => {
        #[inline]
        fn power_of_two_factors(exponent: i32) -> (Self, Self) {
            const FRACTION_BITS: u32 = $float::MANTISSA_DIGITS - 1;
            const LIMIT: i32 = $float::MAX_EXP - 2;
            let power = |e: i32| $float::from_bits(((e + LIMIT + 1) as $bits) << FRACTION_BITS);
            let first = exponent.clamp(-LIMIT, LIMIT);
            (power(first), power((exponent.saturating_sub(first)).clamp(-LIMIT, LIMIT)))
        }
        #[inline]
        fn larger_magnitude(a: Self, b: Self) -> Self {
            let magnitude = |x: $float| x.to_bits() & ($bits::MAX >> 1);
            $float::from_bits(magnitude(a).max(magnitude(b)))
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

// SAFETY, for every call below: the references are valid for N floats each, and mutable ones are not aliased.
#[cfg(has_vfp)]
impl FloatKernels for f32 {
    bit_patterns!(f32, u32);

    #[inline]
    fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
        // SAFETY: see above.
        unsafe { vfp::dot(a.as_ptr(), b.as_ptr(), N) }
    }
    #[inline]
    fn norm_squared<const N: usize>(x: &[f32; N]) -> f32 {
        // SAFETY: see above.
        unsafe { vfp::norm_squared(x.as_ptr(), N) }
    }
    #[inline]
    fn dot_pair<const N: usize>([a, b]: [&[f32; N]; 2], w: &[f32; N]) -> [f32; 2] {
        // SAFETY: see above.
        let vfp::Pair(a, b) = unsafe { vfp::dot_pair(a.as_ptr(), b.as_ptr(), w.as_ptr(), N) };
        [a, b]
    }
    #[inline]
    fn add_scaled<const N: usize>(y: &mut [f32; N], p: f32, x: &[f32; N]) {
        // SAFETY: see above.
        unsafe { vfp::add_scaled(y.as_mut_ptr(), x.as_ptr(), N, p) }
    }
    #[inline]
    fn add_scaled_pair<const N: usize>(y: &mut [f32; N], [p, q]: [f32; 2], [a, b]: [&[f32; N]; 2]) {
        // SAFETY: see above.
        unsafe { vfp::add_scaled_pair(y.as_mut_ptr(), a.as_ptr(), b.as_ptr(), N, p, q) }
    }
    #[inline]
    fn largest<const N: usize>(x: &[f32; N]) -> f32 {
        // SAFETY: see above; a float may be read as an integer.
        f32::from_bits(unsafe { vfp::largest(x.as_ptr().cast(), N) })
    }
    #[inline]
    fn multiply<const N: usize>(x: &mut [f32; N], factor: f32) {
        // SAFETY: see above.
        unsafe { vfp::multiply(x.as_mut_ptr(), x.as_ptr(), N, factor) }
    }
    #[inline]
    fn copy<const N: usize>(y: &mut [f32; N], x: &[f32; N]) {
        // SAFETY: see above.
        unsafe { vfp::copy(y.as_mut_ptr(), x.as_ptr(), N) }
    }
    #[inline(always)]
    fn difference<const N: usize>(a: &[f32; N], b: &[f32; N]) -> [f32; N] {
        let mut difference = MaybeUninit::<[f32; N]>::uninit();
        // SAFETY: see above; there is room for N floats, and all of them are written.
        unsafe {
            vfp::difference(difference.as_mut_ptr().cast(), a.as_ptr(), b.as_ptr(), N);
            difference.assume_init()
        }
    }
    #[inline(always)]
    fn scaled_all<const N: usize>(x: &[f32; N], exponent: i32) -> [f32; N] {
        let mut scaled = MaybeUninit::<[f32; N]>::uninit();
        // SAFETY: see above; there is room for N floats, and all of them are written.
        unsafe {
            scale_into(scaled.as_mut_ptr().cast(), x.as_ptr(), N, exponent);
            scaled.assume_init()
        }
    }
    #[inline(always)]
    fn scale_into<const N: usize>(y: &mut [f32; N], x: &[f32; N], exponent: i32) {
        // SAFETY: see above.
        unsafe { scale_into(y.as_mut_ptr(), x.as_ptr(), N, exponent) }
    }
    #[inline]
    fn step_is_finite<const N: usize>(w: &[f32; N], velocity: &[f32; N], d: &[f32; N], gain: f32, beta: f32) -> bool {
        // SAFETY: see above.
        unsafe { vfp::step_doubt(w.as_ptr(), velocity.as_ptr(), d.as_ptr(), N, gain, beta) == 0.0 }
    }
    #[inline]
    fn step<const N: usize>(w: &mut [f32; N], velocity: &mut [f32; N], d: &[f32; N], gain: f32, beta: f32) {
        // SAFETY: see above.
        unsafe { vfp::step(w.as_mut_ptr(), velocity.as_mut_ptr(), d.as_ptr(), N, gain, beta) }
    }
    #[inline]
    fn average_step<const N: usize>(mean: &mut [f32; N], weights: &[f32; N], gain: f32) -> usize {
        // SAFETY: see above.
        N - unsafe { vfp::average_step(mean.as_mut_ptr(), weights.as_ptr(), N, gain) }
    }
    #[inline]
    fn trace_step<const N: usize>(trace: &mut [f32; N], sum: &mut [f32; N], x: &[f32; N], [g, i, q, r]: [f32; 4]) {
        // SAFETY: see above.
        unsafe { vfp::trace_step(trace.as_mut_ptr(), sum.as_mut_ptr(), x.as_ptr(), N, g, i, q, r) }
    }
}

/// Writes straight to the destination: copying first and scaling in place would double the cost.
///
/// # Safety
/// `x` points to `n` readable floats, `y` to room for `n`.
#[cfg(has_vfp)]
#[inline(never)]
unsafe fn scale_into(y: *mut f32, x: *const f32, n: usize, exponent: i32) {
    let (first, second) = f32::power_of_two_factors(exponent);
    // SAFETY: as for this function; the second pass is in place.
    unsafe {
        if second == 1.0 {
            vfp::multiply(y, x, n, first);
        } else {
            // The smaller factor comes first: it is exact, so only the larger one rounds.
            vfp::multiply(y, x, n, second);
            vfp::multiply(y, y, n, first);
        }
    }
}
