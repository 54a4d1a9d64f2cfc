//! Random numbers that are the same on every machine.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;

/// A seeded source of uniform numbers.
#[derive(Clone, Debug)]
pub struct Dice(Xoshiro128PlusPlus);

impl Dice {
    /// The same seed always gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro128PlusPlus::seed_from_u64(seed))
    }

    /// 32 random bits.
    pub fn bits(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// Uniform in [−1, 1), in steps of 2⁻²³, so that it is exact in f32.
    pub fn uniform(&mut self) -> f32 {
        (self.bits() >> 8) as f32 / 8_388_608.0 - 1.0
    }

    /// An integer in 0..`bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.bits()) * u64::from(bound)) >> 32) as u32
    }
}
