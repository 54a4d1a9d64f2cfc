//! The training data: it must be the same every time and must not hit any short cut.

use core::hint::black_box;

use fixed::types::I1F15;
use osculate::arithmetic::kernels::{Aligned, FloatKernels, integer};
use osculate::{Arithmetic, Q28, Random};

use crate::naive::Naive;

/// An arithmetic whose ‖φ‖² can be measured by itself, and that accepts features in its own number format.
pub(crate) trait Measurable: Arithmetic + Naive {
    /// Features in [−1, 1) in its own number format.
    fn raw<const N: usize>(features: [f32; N]) -> Self::Raw<N>;
    /// Features as stored in an encoded row.
    type Held<const N: usize>;
    /// Stores features.
    fn hold<const N: usize>(features: Self::Raw<N>) -> Self::Held<N>;
    /// ‖φ‖², as computed when a row is encoded.
    fn take_norm<const N: usize>(held: &Self::Held<N>);
}

impl Measurable for f32 {
    fn raw<const N: usize>(features: [f32; N]) -> [f32; N] {
        features
    }
    type Held<const N: usize> = [f32; N];
    fn hold<const N: usize>(features: [f32; N]) -> [f32; N] {
        features
    }
    fn take_norm<const N: usize>(held: &[f32; N]) {
        black_box(f32::norm_squared(held));
    }
}

impl Measurable for Q28 {
    fn raw<const N: usize>(features: [f32; N]) -> [I1F15; N] {
        features.map(I1F15::saturating_from_num)
    }
    type Held<const N: usize> = Aligned<N>;
    fn hold<const N: usize>(features: [I1F15; N]) -> Aligned<N> {
        Aligned(features.map(I1F15::to_bits))
    }
    fn take_norm<const N: usize>(held: &Aligned<N>) {
        black_box(integer::norm_squared(held));
    }
}

/// A source of rows and rewards.
pub(crate) struct Workload(Random);

impl Workload {
    pub(crate) const fn new(features: usize) -> Self {
        Self(Random::new(features as u64))
    }

    /// Features in [−1, 1).
    pub(crate) fn features<const N: usize>(&mut self) -> [f32; N] {
        core::array::from_fn(|_| self.number())
    }

    /// A target or reward in [−1, 1).
    pub(crate) fn number(&mut self) -> f32 {
        self.0.below(1 << 24) as f32 / 8_388_608.0 - 1.0
    }

    /// The same with 15 fractional bits, which every arithmetic represents exactly.
    pub(crate) fn coarse_number(&mut self) -> f32 {
        self.0.below(1 << 16) as f32 / 32_768.0 - 1.0
    }
}
