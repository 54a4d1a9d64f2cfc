//! What this core has kernels for.

use core::mem::MaybeUninit;

pub use super::super::portable::chosen::{ADDS_ROWS, cosine_sums, decay, magnitudes, shift_all, step, sum_of_squares};
pub use super::super::portable::words::product_of_halves as product;
use super::super::{Aligned, FixedRow, Numerator};
pub use super::reciprocal;
pub use super::split_weights::{Parts as Room, SplitWeights as Factor};

// SAFETY, for every call below: the references are valid for N integers each, rows are aligned, and mutable references are not
// aliased.

/// From plain integers, ready for multiplication.
#[inline]
pub fn factor<'w, const N: usize>(w: &'w [i32; N], room: &'w mut MaybeUninit<Room<N>>) -> Factor<'w, N> {
    Factor::new(w, room)
}

/// x · x.
#[inline]
pub fn norm_squared<const N: usize>(x: &Aligned<N>) -> u64 {
    // SAFETY: see above.
    unsafe { super::norm_squared(x.0.as_ptr(), N) }
}

/// x · w.
#[inline]
pub fn dot<const N: usize>(x: &Aligned<N>, w: &[i32; N]) -> i64 {
    super::split_weights::dot_whole(x, w)
}

/// a · w and b · w.
#[inline]
pub fn dot_pair<const N: usize>(rows: [&Aligned<N>; 2], w: &Factor<'_, N>) -> [i64; 2] {
    rows.map(|row| w.dot(row))
}

/// sum ← sum + factor · x.
#[inline]
pub fn add_scaled<const N: usize>(sum: &mut [i64; N], factor: i32, x: &Aligned<N>) {
    add_scaled_pair(sum, [factor, 0], [x, x]);
}

/// sum ← sum + p · a + q · b.
#[inline]
pub fn add_scaled_pair<const N: usize>(sum: &mut [i64; N], [p, q]: [i32; 2], [a, b]: [&Aligned<N>; 2]) {
    // SAFETY: see above.
    unsafe { super::add_scaled_pair(sum.as_mut_ptr(), a.0.as_ptr(), b.0.as_ptr(), N, p, q) }
}

/// Whole passes: none.
#[inline]
pub fn add_rows<const N: usize>(_: &mut [i64; N], rows: &[FixedRow<N>], _: &Factor<'_, N>, _: Numerator) -> usize {
    rows.len()
}

/// r · mantissa / 2^`shift`.
#[inline(always)]
pub fn quotient(r: i64, mantissa: u32, shift: i32) -> Option<i32> {
    // SAFETY: it only computes.
    let words = unsafe { super::quotient(r, mantissa, shift) };
    (words >> 32 == 0).then_some(words as i32)
}
