//! Weights in halves: a 32-bit word as upper · 2¹⁶ + lower, both signed.

use core::mem::MaybeUninit;

use super::halve;

/// For each pair of weights, one word with their two upper halves and one with their two lower halves: N words, plus one more
/// if N is odd. What is past the last weight is multiplied by zero.
pub type Words<const N: usize> = ([u32; N], u32);

/// The words of weights, which are elsewhere: moving them would double the cost.
pub struct SplitWeights<'w, const N: usize> {
    whole: &'w [i32; N],
    words: Option<*const u32>,
}

impl<'w, const N: usize> SplitWeights<'w, N> {
    /// Splits the weights.
    #[inline]
    pub(in super::super) fn new(whole: &'w [i32; N], words: &'w mut MaybeUninit<Words<N>>) -> Self {
        let words = words.as_mut_ptr().cast();
        // SAFETY: N weights, and room for N + 1 words, in whichever order the tuple has them.
        let fit = unsafe { halve(whole.as_ptr(), words, N) != 0 };
        Self { whole, words: fit.then_some(words.cast_const()) }
    }

    /// The words; `None` if the upper half of any weight would be 2¹⁵.
    #[inline]
    pub(in super::super) fn words(&self) -> Option<*const u32> {
        self.words
    }

    /// The original weights.
    #[inline]
    pub(in super::super) fn whole(&self) -> &'w [i32; N] {
        self.whole
    }
}
