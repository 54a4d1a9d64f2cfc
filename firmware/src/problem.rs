//! The problem that `parity` learns on the device and the host learns beside it: this one file serves both.
//!
//! Every update sees fresh rows, in units that differ by up to 2²⁰, whose targets agree with one vector of weights up to
//! a little noise.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;

/// Features per row.
pub const FEATURES: usize = 8;
/// Rows per update, at the most.
pub const ROWS: usize = 16;
/// Updates in all.
pub const UPDATES: u32 = 200;
/// The seed of everything below.
pub const SEED: u64 = 2;

/// An endless source of batches.
pub struct Problem {
    random: Xoshiro128PlusPlus,
    truth: [f32; FEATURES],
}

impl Problem {
    /// The same seed gives the same batches, on every machine.
    pub fn new(seed: u64) -> Self {
        let mut random = Xoshiro128PlusPlus::seed_from_u64(seed);
        let truth = core::array::from_fn(|_| uniform(&mut random));
        Self { random, truth }
    }

    /// Hands the rows (φ, V) of the next batch to `push`, one by one.
    pub fn next_batch(&mut self, mut push: impl FnMut(&[f32; FEATURES], f32)) {
        for _ in 0..=self.random.next_u32() % ROWS as u32 {
            let direction: [f32; FEATURES] = core::array::from_fn(|_| uniform(&mut self.random));
            let noise = uniform(&mut self.random) / 16.0;
            let value = direction.iter().zip(&self.truth).fold(noise, |sum, (x, w)| sum + x * w);
            // 2^−10 … 2^10, by its exponent field.
            let unit = f32::from_bits((117 + self.random.next_u32() % 21) << 23);
            push(&direction.map(|x| x * unit), value * unit);
        }
    }
}

/// Uniform in [−1, 1), in steps of 2⁻²³.
fn uniform(random: &mut Xoshiro128PlusPlus) -> f32 {
    (random.next_u32() >> 8) as f32 / 8_388_608.0 - 1.0
}
