//! Random numbers that are the same on every target and whose state can be saved.

use crate::arithmetic::backend::Scalar;
use crate::state::persist;

/// The generator xoshiro128++ by Blackman and Vigna: four words, with 32-bit shifts, rotations and sums only.
///
/// ```
/// use osculate::Random;
/// let mut random = Random::new(1);
/// assert!((0..100).all(|_| random.below(6) < 6));
/// assert_ne!(Random::new(1).below(1 << 24), Random::new(2).below(1 << 24));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    words: [u32; 4],
}

persist!(Random: words: [u32; 4]);

impl Random {
    /// The same seed gives the same numbers on every target.
    pub const fn new(seed: u64) -> Self {
        // SplitMix64 turns similar seeds into very different states, none of them all zeros.
        let (first, seed) = split_mix(seed);
        let (second, _) = split_mix(seed);
        Self { words: [first as u32, (first >> 32) as u32, second as u32, (second >> 32) as u32] }
    }

    /// The next 32 bits.
    const fn next_u32(&mut self) -> u32 {
        let [a, b, c, d] = self.words;
        let result = a.wrapping_add(d).rotate_left(7).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.words = [a ^ d, b ^ c, c ^ (b << 9), d.rotate_left(11)];
        result
    }

    /// An integer in 0..`bound` from one draw; 0 if the bound is 0 or 1.
    ///
    /// It is the upper half of draw · bound, so no number is favoured by more than bound/2³².
    ///
    /// ```
    /// assert_eq!(osculate::Random::new(1).below(1), 0);
    /// ```
    pub const fn below(&mut self, bound: u32) -> u32 {
        ((self.next_u32() as u64 * bound as u64) >> 32) as u32
    }

    /// Whether an event of this probability happens, from one draw: never at 0 or below, always at 1 or above.
    ///
    /// The probability is rounded down to a multiple of 2⁻³².
    pub(crate) fn happens(&mut self, probability: f32) -> bool {
        let draw = self.next_u32();
        // Scaling by a power of two is exact. From 1 up, the count does not fit a word.
        probability >= 1.0 || draw < probability.scaled(32).whole()
    }
}

const fn split_mix(seed: u64) -> (u64, u64) {
    let next = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (next ^ (next >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31), next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro128PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    #[test]
    fn numbers_are_those_of_another_implementation() {
        for seed in [0, 1, 42, u64::MAX] {
            let (mut ours, mut theirs) = (Random::new(seed), Xoshiro128PlusPlus::seed_from_u64(seed));
            assert!((0..1000).all(|_| ours.next_u32() == theirs.next_u32()), "seed {seed}");
        }
    }

    #[test]
    fn certain_and_impossible_are_exact() {
        let mut random = Random::new(7);
        for _ in 0..1000 {
            assert!(random.happens(1.0) && random.happens(f32::INFINITY));
            assert!(!random.happens(0.0) && !random.happens(-1.0) && !random.happens(f32::NAN));
        }
        assert_eq!((random.below(0), random.below(1)), (0, 0));
    }
}
