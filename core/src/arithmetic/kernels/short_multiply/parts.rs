//! Weights in two parts: upper · 2¹⁶ + lower, both signed, a word each so that one LDM loads those of two weights.

use core::mem::MaybeUninit;

use super::super::Aligned;
use super::dot;

/// The upper and the lower part of each weight.
pub struct Parts<'w, const N: usize> {
    whole: &'w [i32; N],
    parts: [MaybeUninit<[i32; 2]>; N],
    ready: bool,
}

impl<'w, const N: usize> Parts<'w, N> {
    /// Not split yet.
    #[inline]
    pub(in super::super) fn new(whole: &'w [i32; N]) -> Self {
        Self { whole, parts: [MaybeUninit::uninit(); N], ready: false }
    }

    /// Splits them, in place: a move of all the words would cost as much again.
    #[inline]
    pub(in super::super) fn split(&mut self) {
        split(self.whole, &mut self.parts);
        self.ready = true;
    }

    /// x · w.
    #[inline]
    pub(in super::super) fn dot(&self, x: &Aligned<i16, N>) -> i64 {
        const { assert!(N <= MOST, "more features than the sums have room for") };
        if !self.ready {
            return dot_whole(x, self.whole);
        }
        // SAFETY: the row is aligned, has N features, at most 128; there are N pairs of parts, written by `split`.
        unsafe { dot(x.0.as_ptr(), self.parts.as_ptr().cast(), N) }
    }
}

/// Features that [`dot`] can take.
const MOST: usize = 128;
/// As many weights as are split at once where only one row is multiplied with them: even, so that features stay aligned.
const FEW: usize = 16;

/// x · w, without any preparation.
#[inline]
pub(in super::super) fn dot_whole<const N: usize>(x: &Aligned<i16, N>, w: &[i32; N]) -> i64 {
    // SAFETY: the row is aligned, and as long as the weights.
    unsafe { dot_slices(&x.0, w) }
}

/// x · w, compiled once for all sizes.
///
/// # Safety
/// The features begin at a multiple of 4.
#[inline(never)]
unsafe fn dot_slices(x: &[i16], w: &[i32]) -> i64 {
    let mut parts = [MaybeUninit::uninit(); FEW];
    let mut sum = 0;
    for (x, w) in x.chunks(FEW).zip(w.chunks(FEW)) {
        split(w, &mut parts);
        // SAFETY: chunks of an even number of aligned features are aligned; `split` has written as many parts as weights.
        sum += unsafe { dot(x.as_ptr(), parts.as_ptr().cast(), x.len().min(w.len())) };
    }
    sum
}

/// Writes the parts of each weight. The upper one is rounded, so that the lower one has a sign.
#[inline(never)]
fn split(w: &[i32], parts: &mut [MaybeUninit<[i32; 2]>]) {
    for (w, parts) in w.iter().zip(parts) {
        parts.write([((w >> 15) + 1) >> 1, i32::from(*w as i16)]);
    }
}
