//! The states that an episode has visited.

/// A set of the states 0 … 32·`WORDS` − 1, one bit each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VisitSet<const WORDS: usize> {
    words: [u32; WORDS],
}

crate::state::persist!(VisitSet<WORDS>: words: [u32; WORDS]);

impl<const WORDS: usize> VisitSet<WORDS> {
    /// No state visited.
    pub(crate) const EMPTY: Self = Self { words: [0; WORDS] };

    /// Marks a state as visited, if the set has a bit for it.
    pub(crate) fn insert(&mut self, state: u32) {
        if let Some(word) = self.words.get_mut((state / u32::BITS) as usize) {
            *word |= 1 << (state % u32::BITS);
        }
    }

    /// Whether a state was visited; `None` if the set has no bit for it.
    pub(crate) fn contains(&self, state: u32) -> Option<bool> {
        let word = self.words.get((state / u32::BITS) as usize)?;
        Some(*word & 1 << (state % u32::BITS) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_seen_once_inserted_and_known_up_to_the_last_bit() {
        let mut visits = VisitSet::<2>::EMPTY;
        visits.insert(40);
        visits.insert(64);
        assert_eq!([39, 40, 63, 64].map(|state| visits.contains(state)), [Some(false), Some(true), Some(false), None]);
    }
}
