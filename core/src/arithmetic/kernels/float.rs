//! The loops over floats.

#[cfg(has_vfp)]
use core::mem::MaybeUninit;

use super::super::row::Row;
use super::super::scalar::Scalar;
use super::portable;
#[cfg(no_fpu)]
use super::soft;
#[cfg(has_vfp)]
use super::vfp;

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

/// √x, correctly rounded. The library function is software even if the target has an instruction for it.
#[inline]
pub fn sqrt(x: f32) -> f32 {
    #[cfg(has_vfp)]
    // SAFETY: it only computes with its argument.
    return unsafe { vfp::sqrt(x) };
    #[cfg(no_fpu)]
    return soft::sqrt(x);
    #[cfg(not(any(has_vfp, no_fpu)))]
    libm::sqrtf(x)
}

/// The nearest float to an integer.
#[inline(always)]
pub fn from_integer(x: u32) -> f32 {
    #[cfg(no_fpu)]
    return soft::from_integer(x);
    #[cfg(not(no_fpu))]
    return x as f32;
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
            portable::trace_step_is_finite(trace, sum, x, factors)
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

// SAFETY, for every call below: the references are valid for N floats each, and mutable ones are not aliased.
#[cfg(has_vfp)]
impl FloatKernels for f32 {
    bit_patterns!(f32, u32);

    #[inline]
    fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
        // SAFETY: see above.
        unsafe { vfp::dot::<N>(a.as_ptr(), b.as_ptr()) }
    }
    #[inline]
    fn norm_squared<const N: usize>(x: &[f32; N]) -> f32 {
        // SAFETY: see above.
        unsafe { vfp::norm_squared::<N>(x.as_ptr()) }
    }
    #[inline]
    fn dot_pair<const N: usize>([a, b]: [&[f32; N]; 2], w: &[f32; N]) -> [f32; 2] {
        // SAFETY: see above.
        let vfp::Pair(a, b) = unsafe { vfp::dot_pair::<N>(a.as_ptr(), b.as_ptr(), w.as_ptr()) };
        [a, b]
    }
    #[inline]
    fn add_scaled<const N: usize>(y: &mut [f32; N], p: f32, x: &[f32; N]) {
        // SAFETY: see above.
        unsafe { vfp::add_scaled::<N>(y.as_mut_ptr(), x.as_ptr(), p) }
    }
    #[inline]
    fn add_projections<const N: usize>(y: &mut [f32; N], pairs: &[[Row<f32, N>; 2]], w: &[f32; N], targets: bool) {
        const { assert!(size_of::<Row<f32, N>>() == 4 * (N + 3)) };
        if !pairs.is_empty() {
            let (y, rows, w) = (y.as_mut_ptr(), pairs.as_ptr().cast(), w.as_ptr());
            // SAFETY: see above; the rows have the layout that the kernel expects, and there is one pair at least.
            unsafe {
                if const { 8 <= N && N <= 13 } {
                    vfp::add_few_projections::<N>(y, rows, w, pairs.len(), targets.into());
                } else {
                    vfp::add_projections::<N>(y, rows, w, pairs.len(), targets.into());
                }
            }
        }
    }
    #[inline]
    fn largest<const N: usize>(x: &[f32; N]) -> f32 {
        // SAFETY: see above; a float may be read as an integer.
        f32::from_bits(unsafe { vfp::largest(x.as_ptr().cast(), N) })
    }
    #[inline]
    fn multiply<const N: usize>(x: &mut [f32; N], factor: f32) {
        // SAFETY: see above.
        unsafe { vfp::multiply::<N>(x.as_mut_ptr(), x.as_ptr(), factor) }
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
            scale_into::<N>(scaled.as_mut_ptr().cast(), x.as_ptr(), exponent);
            scaled.assume_init()
        }
    }
    #[inline(always)]
    fn scale_into<const N: usize>(y: &mut [f32; N], x: &[f32; N], exponent: i32) {
        // SAFETY: see above.
        unsafe { scale_into::<N>(y.as_mut_ptr(), x.as_ptr(), exponent) }
    }
    #[inline(always)]
    fn scale_in_place<const N: usize>(x: &mut [f32; N], exponent: i32) {
        // SAFETY: see above; both pointers are derived from the mutable reference.
        unsafe { scale_into::<N>(x.as_mut_ptr(), x.as_mut_ptr(), exponent) }
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
    fn average_step<const N: usize>(mean: &mut [f32; N], weights: &[f32; N], gain: f32) -> bool {
        // SAFETY: see above.
        unsafe { vfp::average_step(mean.as_mut_ptr(), weights.as_ptr(), N, gain) == 0 }
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
/// `x` points to `N` readable floats, `y` to room for `N`; they are the same or do not overlap.
#[cfg(has_vfp)]
#[inline(never)]
unsafe fn scale_into<const N: usize>(y: *mut f32, mut x: *const f32, exponent: i32) {
    let (first, second) = f32::power_of_two_factors(exponent);
    // SAFETY: as for this function; the second pass is in place.
    unsafe {
        if second != 1.0 {
            // The smaller factor comes first: it is exact, so only the larger one rounds.
            vfp::multiply::<N>(y, x, second);
            x = y;
        }
        vfp::multiply::<N>(y, x, first);
    }
}
