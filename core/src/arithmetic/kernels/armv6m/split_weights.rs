//! Weights in two signed parts, upper and lower, one word each, so that one LDM loads the parts of two weights.

use core::mem::MaybeUninit;

use super::super::Aligned;
use super::{dot_narrow, dot_wide};

/// The upper and the lower part of each weight.
pub type Parts<const N: usize> = [[i32; 2]; N];

/// The parts of weights, which are elsewhere: moving them would double the cost.
pub struct SplitWeights<'w, const N: usize> {
    parts: &'w Parts<N>,
    /// The matching kernel.
    kernel: Kernel,
}

type Kernel = unsafe extern "C" fn(*const i16, *const i32, usize) -> i64;

impl<'w, const N: usize> SplitWeights<'w, N> {
    /// Splits the weights.
    #[inline]
    pub(in super::super) fn new(whole: &[i32; N], parts: &'w mut MaybeUninit<Parts<N>>) -> Self {
        // SAFETY: both types have one layout, and neither says that anything is initialised.
        let kernel = split(whole, unsafe { &mut *parts.as_mut_ptr().cast::<[MaybeUninit<[i32; 2]>; N]>() });
        // SAFETY: `split` has written N pairs of parts.
        Self { parts: unsafe { parts.assume_init_ref() }, kernel }
    }

    /// x · w.
    #[inline]
    pub(in super::super) fn dot(&self, x: &Aligned<N>) -> i64 {
        const { assert!(N <= MOST, "more features than the sums have room for") };
        // SAFETY: the row is aligned and has N features, and there are N pairs of parts.
        unsafe { (self.kernel)(x.0.as_ptr(), self.parts.as_ptr().cast(), N) }
    }
}

/// The maximum number of features for the kernels.
const MOST: usize = 128;
/// The limit for narrow weights.
const NARROW: u32 = 1 << 26;
/// The number of weights split at once for a single row: even, so that features stay aligned.
const FEW: usize = 16;

/// x · w without preparation.
#[inline]
pub(in super::super) fn dot_whole<const N: usize>(x: &Aligned<N>, w: &[i32; N]) -> i64 {
    // SAFETY: the row is aligned.
    unsafe { dot_slices(&x.0, w) }
}

/// x · w, compiled once for all sizes.
///
/// # Safety
/// The features start at a multiple of 4.
#[inline(never)]
unsafe fn dot_slices(x: &[i16], w: &[i32]) -> i64 {
    let mut parts = [MaybeUninit::uninit(); FEW];
    let mut sum = 0;
    for (x, w) in x.chunks(FEW).zip(w.chunks(FEW)) {
        split_wide(w, &mut parts);
        // SAFETY: chunks of an even number of aligned features are aligned; as many parts have been written as weights.
        sum += unsafe { dot_wide(x.as_ptr(), parts.as_ptr().cast(), x.len().min(w.len())) };
    }
    sum
}

/// Writes the parts of each weight and returns the matching kernel.
#[inline(never)]
fn split(w: &[i32], parts: &mut [MaybeUninit<[i32; 2]>]) -> Kernel {
    if w.iter().all(|w| w.unsigned_abs() <= NARROW) {
        for (w, parts) in w.iter().zip(parts) {
            let upper = (w + (1 << 13)) >> 14;
            parts.write([upper, w - (upper << 14)]);
        }
        return dot_narrow;
    }
    split_wide(w, parts);
    dot_wide
}

/// The upper part is rounded, so the lower one is signed.
#[inline(never)]
fn split_wide(w: &[i32], parts: &mut [MaybeUninit<[i32; 2]>]) {
    for (w, parts) in w.iter().zip(parts) {
        parts.write([((w >> 15) + 1) >> 1, i32::from(*w as i16)]);
    }
}
