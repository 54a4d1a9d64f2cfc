//! The data that is learned from: it only has to be the same every time, and to take no short cuts.

use core::hint::black_box;

use osculate::arithmetic::Features;
use osculate::arithmetic::kernels::{Aligned, FloatKernels, IntegerKernels};
use osculate::{Arithmetic, Q28, RowError};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;

/// An arithmetic whose ‖φ‖² can be measured by itself.
pub trait Measurable: Arithmetic<Scalar = f32> {
    /// Features as an admitted row holds them.
    type Held<const N: usize>;
    /// Holds features.
    fn hold<const N: usize>(features: Self::Features<N>) -> Self::Held<N>;
    /// ‖φ‖², as it is taken when a row is admitted.
    fn take_norm<const N: usize>(held: &Self::Held<N>);
}

impl Measurable for f32 {
    type Held<const N: usize> = [f32; N];

    fn hold<const N: usize>(features: [f32; N]) -> [f32; N] {
        features
    }
    fn take_norm<const N: usize>(held: &[f32; N]) {
        black_box(f32::norm_squared(held));
    }
}

impl Measurable for Q28 {
    type Held<const N: usize> = Aligned<i16, N>;

    fn hold<const N: usize>(features: Features<i16, N>) -> Aligned<i16, N> {
        Aligned(*features.mantissas())
    }
    fn take_norm<const N: usize>(held: &Aligned<i16, N>) {
        black_box(i16::norm_squared(held));
    }
}

/// A source of rows and rewards.
pub(super) struct Workload(Xoshiro128PlusPlus);

impl Workload {
    pub(super) fn new(features: usize) -> Self {
        Self(Xoshiro128PlusPlus::seed_from_u64(features as u64))
    }

    /// Features in [−1, 1).
    pub(super) fn features<A: Arithmetic, const N: usize>(&mut self) -> Result<A::Features<N>, RowError> {
        A::features(&core::array::from_fn(|_| self.uniform()))
    }

    /// A target in [−1, 1).
    pub(super) fn target<A: Arithmetic>(&mut self) -> Result<A::Target, RowError> {
        A::target(self.uniform())
    }

    fn uniform(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 / 8_388_608.0 - 1.0
    }
}
