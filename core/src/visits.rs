//! Which states an episode has seen.

/// A set of the states 0 … 32·`WORDS` − 1, one bit each: what [`StreamingLearner`](crate::StreamingLearner) needs to tell
/// a first visit from a later one.
///
/// ```
/// use osculate::visits::VisitSet;
/// let mut visits = VisitSet::<2>::new();
/// assert_eq!((visits.visit(40), visits.visit(40), visits.visit(64)), (Some(true), Some(false), None));
/// assert_eq!((visits.contains(40), visits.contains(41), visits.contains(64)), (Some(true), Some(false), None));
/// visits.clear();
/// assert_eq!(visits.visit(40), Some(true));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitSet<const WORDS: usize> {
    words: [u32; WORDS],
}

impl<const WORDS: usize> VisitSet<WORDS> {
    /// No state seen.
    pub const fn new() -> Self {
        Self { words: [0; WORDS] }
    }

    /// Marks a state as seen. Whether this is its first visit; `None` where the set has no bit for it.
    pub fn visit(&mut self, state: u32) -> Option<bool> {
        let word = self.words.get_mut(usize::try_from(state / u32::BITS).ok()?)?;
        let bit = 1 << (state % u32::BITS);
        let first = *word & bit == 0;
        *word |= bit;
        Some(first)
    }

    /// Whether a state was seen; `None` where the set has no bit for it.
    pub fn contains(&self, state: u32) -> Option<bool> {
        let word = self.words.get(usize::try_from(state / u32::BITS).ok()?)?;
        Some(*word & 1 << (state % u32::BITS) != 0)
    }

    /// Forgets all visits, for the next episode.
    pub fn clear(&mut self) {
        *self = Self::new();
    }
}

impl<const WORDS: usize> Default for VisitSet<WORDS> {
    fn default() -> Self {
        Self::new()
    }
}
