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
    /// Takes ‖φ‖² of features that are stored as in an encoded row, as it is done there.
    fn norming<const N: usize>(features: Self::Raw<N>) -> impl FnMut();
}

impl Measurable for f32 {
    fn raw<const N: usize>(features: [f32; N]) -> [f32; N] {
        features
    }
    fn norming<const N: usize>(features: [f32; N]) -> impl FnMut() {
        move || _ = black_box(f32::norm_squared(black_box(&features)))
    }
}

impl Measurable for Q28 {
    fn raw<const N: usize>(features: [f32; N]) -> [I1F15; N] {
        features.map(I1F15::saturating_from_num)
    }
    fn norming<const N: usize>(features: [I1F15; N]) -> impl FnMut() {
        let held = Aligned(features.map(I1F15::to_bits));
        move || _ = black_box(integer::norm_squared(black_box(&held)))
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
