//! What these cores have kernels for, with the DSP extension or without.

#[cfg(has_dsp)]
pub use with_dsp::*;
#[cfg(not(has_dsp))]
pub use without::*;

use super::super::Aligned;
use super::super::FloatShift;
pub use super::super::portable::chosen::{add_scaled, dot, product, reciprocal};
use super::super::portable::cosine::CosineSums;
use super::vectors;

// SAFETY, for every call below: the references are valid for N integers each, rows are aligned, and mutable references are not
// aliased.

/// x · x.
#[inline]
pub fn norm_squared<const N: usize>(x: &Aligned<N>) -> u64 {
    // SAFETY: see above.
    unsafe { norm_kernel(x.0.as_ptr(), N) as u64 }
}
#[cfg(has_dsp)]
use super::dsp::norm_squared as norm_kernel;
#[cfg(not(has_dsp))]
use super::norm_squared as norm_kernel;

/// sum ← sum + p · a + q · b.
#[inline]
pub fn add_scaled_pair<const N: usize>(sum: &mut [i64; N], [p, q]: [i32; 2], [a, b]: [&Aligned<N>; 2]) {
    // SAFETY: see above.
    unsafe { super::add_scaled_pair(sum.as_mut_ptr(), a.0.as_ptr(), b.0.as_ptr(), N, p, q) }
}

/// a · w and b · w, of whole weights.
#[inline]
fn dot_whole_pair<const N: usize>([a, b]: [&Aligned<N>; 2], w: &[i32; N]) -> [i64; 2] {
    let mut sums = [0; 2];
    // SAFETY: see above; there is room for two sums.
    unsafe { super::dot_pair(a.0.as_ptr(), b.0.as_ptr(), w.as_ptr(), N, sums.as_mut_ptr()) };
    sums
}

/// r · mantissa / 2^`shift`.
#[inline(always)]
pub fn quotient(r: i64, mantissa: u32, shift: i32) -> Option<i32> {
    // SAFETY: it only computes.
    let words = unsafe { super::quotient(r, mantissa, shift) };
    (words >> 32 == 0).then_some(words as i32)
}

/// The sums over the mantissas of b − a and c − b.
#[inline(always)]
pub fn cosine_sums(a: &[i32], b: &[i32], c: &[i32]) -> CosineSums {
    if a.is_empty() || a.len() != b.len() || a.len() != c.len() {
        return CosineSums::default();
    }
    let mut sums = core::mem::MaybeUninit::uninit();
    // SAFETY: all slices have this length, and it is not 0; all sums are written.
    unsafe {
        super::cosine::cosine_sums(a.as_ptr(), b.as_ptr(), c.as_ptr(), a.len(), sums.as_mut_ptr());
        sums.assume_init()
    }
}

// If lengths differ, which they never do, nothing is done.

/// values ← shift · values, but one unit closer to 0 where that would not change them.
#[inline(always)]
pub fn decay(values: &mut [i32], shift: &FloatShift) -> usize {
    if values.is_empty() {
        return 0;
    }
    // SAFETY: the length is that of the slice, and it is not 0.
    unsafe { vectors::decay(values.as_mut_ptr(), values.len(), shift) }
}

/// velocity ← velocity − gain · direction, weights ← weights + velocity.
#[inline(always)]
pub fn step(weights: &mut [i32], velocity: &mut [i32], direction: &[i32], gain: &FloatShift) -> usize {
    if weights.is_empty() || weights.len() != velocity.len() || weights.len() != direction.len() {
        return weights.len();
    }
    let (w, v, n) = (weights.as_mut_ptr(), velocity.as_mut_ptr(), weights.len());
    // SAFETY: all slices have this length, and it is not 0.
    unsafe { vectors::step(w, v, direction.as_ptr(), n, gain) }
}

/// The magnitudes of all values, combined by or.
#[inline(always)]
pub fn magnitudes(values: &[i64]) -> u64 {
    if values.is_empty() {
        return 0;
    }
    // SAFETY: the length is that of the slice, and it is not 0.
    unsafe { vectors::magnitudes(values.as_ptr(), values.len()) }
}

/// mantissas ← values / 2^`by`.
#[inline(always)]
pub fn shift_all(values: &[i64], mantissas: &mut [i32], by: u32) {
    if !values.is_empty() && values.len() == mantissas.len() {
        // SAFETY: both slices have this length, and it is not 0.
        unsafe { vectors::shift_all(values.as_ptr(), mantissas.as_mut_ptr(), values.len(), 1 << (32 - by)) };
    }
}

/// The sum of the squares of these mantissas.
#[inline(always)]
pub fn sum_of_squares(values: &[i64], by: u32) -> u64 {
    if values.is_empty() {
        return 0;
    }
    // SAFETY: the length is that of the slice, and it is not 0.
    unsafe { vectors::sum_of_squares(values.as_ptr(), values.len(), 1 << (32 - by)) }
}

#[cfg(not(has_dsp))]
mod without {
    pub use super::super::super::portable::chosen::{ADDS_ROWS, Factor, Room, add_rows, factor};
    use super::{Aligned, dot_whole_pair};

    /// a · w and b · w.
    #[inline]
    pub fn dot_pair<const N: usize>(rows: [&Aligned<N>; 2], w: &Factor<'_, N>) -> [i64; 2] {
        dot_whole_pair(rows, w)
    }
}

#[cfg(has_dsp)]
mod with_dsp {
    use core::mem::{MaybeUninit, offset_of};

    use super::super::super::{FixedRow, Numerator};
    use super::super::dsp::pass::{self, Layout};
    use super::super::dsp::{self, SplitWeights as Factor, Words as Room};
    use super::{Aligned, dot_whole_pair};

    /// From plain integers, ready for multiplication.
    #[inline]
    pub fn factor<'w, const N: usize>(w: &'w [i32; N], room: &'w mut MaybeUninit<Room<N>>) -> Factor<'w, N> {
        Factor::new(w, room)
    }

    /// a · w and b · w.
    #[inline]
    pub fn dot_pair<const N: usize>(rows: [&Aligned<N>; 2], w: &Factor<'_, N>) -> [i64; 2] {
        match w.words() {
            // SAFETY: these are the words of N weights, plus one more.
            Some(words) => rows.map(|row| unsafe { dsp::dot_halves(row.0.as_ptr(), words, N) }),
            None => dot_whole_pair(rows, w.whole()),
        }
    }

    /// Whether [`add_rows`] does anything.
    pub const ADDS_ROWS: bool = true;

    /// sum ← sum + q · φ for the leading rows, with their quotients q. Returns how many rows are left: one of the next two has
    /// a quotient of too many bits.
    #[inline]
    pub fn add_rows<const N: usize>(
        sum: &mut [i64; N],
        rows: &[FixedRow<N>],
        w: &Factor<'_, N>,
        numerator: Numerator,
    ) -> usize {
        type Row<const N: usize> = FixedRow<N>;
        const {
            let target = offset_of!(Row<N>, target);
            assert!(offset_of!(Row<N>, features) == 0 && offset_of!(Row<N>, inverse_mantissa) == target + 8);
            assert!(offset_of!(Row<N>, inverse_exponent) == target + 12);
        }
        let (Some(halves), pairs @ 1..) = (w.words(), rows.len() / 2) else { return rows.len() };
        let layout: &Layout = const { &Layout { n: N, stride: size_of::<Row<N>>(), tail: offset_of!(Row<N>, target) } };
        let pass = if numerator.with_target { pass::residuals } else { pass::projections };
        // SAFETY: see above; the layout is asserted, and there are that many pairs.
        let left = unsafe { pass(layout, rows.as_ptr().cast(), pairs, sum.as_mut_ptr(), halves, numerator.by) };
        2 * left + rows.len() % 2
    }
}
