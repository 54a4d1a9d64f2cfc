//! The loops over floats that an FPU has kernels for: all but those over slices.

use core::mem::MaybeUninit;

use super::super::super::float::Row;
use super::super::FloatKernels;

/// √x, correctly rounded. The library function is software even if the target has an instruction for it.
#[inline]
pub fn sqrt(x: f32) -> f32 {
    // SAFETY: it only computes with its argument.
    unsafe { super::sqrt(x) }
}

// SAFETY, for every call below: the references are valid for N floats each, and mutable ones are not aliased.
impl FloatKernels for f32 {
    bit_patterns!(f32, u32);

    #[inline]
    fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
        // SAFETY: see above.
        unsafe { super::dot::<N>(a.as_ptr(), b.as_ptr()) }
    }
    #[inline]
    fn norm_squared<const N: usize>(x: &[f32; N]) -> f32 {
        // SAFETY: see above.
        unsafe { super::norm_squared::<N>(x.as_ptr()) }
    }
    #[inline]
    fn dot_pair<const N: usize>([a, b]: [&[f32; N]; 2], w: &[f32; N]) -> [f32; 2] {
        // SAFETY: see above.
        let super::Pair(a, b) = unsafe { super::dot_pair::<N>(a.as_ptr(), b.as_ptr(), w.as_ptr()) };
        [a, b]
    }
    #[inline]
    fn add_scaled<const N: usize>(y: &mut [f32; N], p: f32, x: &[f32; N]) {
        // SAFETY: see above.
        unsafe { super::add_scaled::<N>(y.as_mut_ptr(), x.as_ptr(), p) }
    }
    #[inline]
    fn add_projections<const N: usize>(y: &mut [f32; N], pairs: &[[Row<f32, N>; 2]], w: &[f32; N], targets: bool) {
        const { assert!(size_of::<Row<f32, N>>() == 4 * (N + 3)) };
        if !pairs.is_empty() {
            let (y, rows, w) = (y.as_mut_ptr(), pairs.as_ptr().cast(), w.as_ptr());
            // SAFETY: see above; the rows have the layout that the kernel expects, and there is one pair at least.
            unsafe {
                if const { 8 <= N && N <= 13 } {
                    super::add_few_projections::<N>(y, rows, w, pairs.len(), targets.into());
                } else {
                    super::add_projections::<N>(y, rows, w, pairs.len(), targets.into());
                }
            }
        }
    }
    #[inline]
    fn largest<const N: usize>(x: &[f32; N]) -> f32 {
        // SAFETY: see above; a float may be read as an integer.
        f32::from_bits(unsafe { super::largest(x.as_ptr().cast(), N) })
    }
    #[inline]
    fn multiply<const N: usize>(x: &mut [f32; N], factor: f32) {
        // SAFETY: see above.
        unsafe { super::multiply::<N>(x.as_mut_ptr(), x.as_ptr(), factor) }
    }
    #[inline(always)]
    fn copied<const N: usize>(x: &[f32; N]) -> [f32; N] {
        let mut y = MaybeUninit::<[f32; N]>::uninit();
        // SAFETY: see above; there is room for N floats, and all of them are written.
        unsafe {
            super::copy::<N>(y.as_mut_ptr().cast(), x.as_ptr());
            y.assume_init()
        }
    }
    #[inline(always)]
    fn difference<const N: usize>(a: &[f32; N], b: &[f32; N]) -> [f32; N] {
        let mut difference = MaybeUninit::<[f32; N]>::uninit();
        // SAFETY: see above; there is room for N floats, and all of them are written.
        unsafe {
            super::difference(difference.as_mut_ptr().cast(), a.as_ptr(), b.as_ptr(), N);
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
        unsafe { super::step_doubt(w.as_ptr(), velocity.as_ptr(), d.as_ptr(), N, gain, beta) == 0.0 }
    }
    #[inline]
    fn step<const N: usize>(w: &mut [f32; N], velocity: &mut [f32; N], d: &[f32; N], gain: f32, beta: f32) {
        // SAFETY: see above.
        unsafe { super::step(w.as_mut_ptr(), velocity.as_mut_ptr(), d.as_ptr(), N, gain, beta) }
    }
    #[inline]
    fn average_step<const N: usize>(mean: &mut [f32; N], weights: &[f32; N], gain: f32) -> bool {
        // SAFETY: see above.
        unsafe { super::average_step(mean.as_mut_ptr(), weights.as_ptr(), N, gain) == 0 }
    }
    #[inline]
    fn trace_step<const N: usize>(trace: &mut [f32; N], sum: &mut [f32; N], x: &[f32; N], [g, i, q, r]: [f32; 4]) {
        // SAFETY: see above.
        unsafe { super::trace_step(trace.as_mut_ptr(), sum.as_mut_ptr(), x.as_ptr(), N, g, i, q, r) }
    }
}

/// Writes straight to the destination: copying first and scaling in place would double the cost.
///
/// # Safety
/// `x` points to `N` readable floats, `y` to room for `N`; they are the same or do not overlap.
#[inline(never)]
unsafe fn scale_into<const N: usize>(y: *mut f32, mut x: *const f32, exponent: i32) {
    let (first, second) = f32::power_of_two_factors(exponent);
    // SAFETY: as for this function; the second pass is in place.
    unsafe {
        if second != 1.0 {
            // The smaller factor comes first: it is exact, so only the larger one rounds.
            super::multiply::<N>(y, x, second);
            x = y;
        }
        super::multiply::<N>(y, x, first);
    }
}
