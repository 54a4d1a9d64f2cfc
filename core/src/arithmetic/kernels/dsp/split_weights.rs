//! Weights in halves: a 32-bit word as upper · 2¹⁶ + lower, both signed.

use core::mem::MaybeUninit;

use super::halve;

/// One more word if N is odd; for vectors, up to the next multiple of 8. Past the last weight they are never used: what is in
/// them is multiplied by zero.
type Rest = [u32; if cfg!(has_mve) { 7 } else { 1 }];

/// For each pair of weights, one word with their two upper halves and one with their two lower halves.
pub struct SplitWeights<'w, const N: usize> {
    whole: &'w [i32; N],
    // N words, plus what the last ones are rounded up to.
    words: MaybeUninit<([u32; N], Rest)>,
    fit: bool,
}

impl<'w, const N: usize> SplitWeights<'w, N> {
    /// Not split yet.
    #[inline]
    pub(in super::super) fn new(whole: &'w [i32; N]) -> Self {
        Self { whole, words: MaybeUninit::uninit(), fit: false }
    }

    /// Splits them in place: moving all the words would double the cost.
    #[inline]
    pub(in super::super) fn split(&mut self) {
        // SAFETY: N weights, and room for N + 1 words, in whichever order the tuple has them.
        self.fit = unsafe { halve(self.whole.as_ptr(), self.words.as_mut_ptr().cast(), N) != 0 };
    }

    /// The words, once split; `None` if the upper half of any weight would be 2¹⁵.
    #[inline]
    pub(in super::super) fn words(&self) -> Option<*const u32> {
        self.fit.then_some(self.words.as_ptr().cast())
    }

    /// The original weights.
    #[inline]
    pub(in super::super) fn whole(&self) -> &'w [i32; N] {
        self.whole
    }
}
