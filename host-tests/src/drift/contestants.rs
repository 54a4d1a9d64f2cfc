//! Who takes part: anything that predicts a row's target and learns from it.

use crate::reference::tracking::{Config, Tracking, dot};

/// A learner of rows.
pub trait Contestant {
    /// φ·w.
    fn value(&self, phi: &[f32]) -> f64;
    /// Learns a row.
    fn learn(&mut self, phi: &[f32], target: f32);
    /// How many numbers have saturated so far.
    fn saturated(&self) -> u32 {
        0
    }
}

/// Σ φᵢ aᵢ.
pub(super) fn product(phi: &[f32], a: &[f64]) -> f64 {
    phi.iter().zip(a).map(|(&x, a)| f64::from(x) * a).sum()
}

/// Exact.
pub(super) fn exact(phi: &[f32]) -> Vec<f64> {
    phi.iter().map(|&x| x.into()).collect()
}

impl Contestant for Tracking {
    fn value(&self, phi: &[f32]) -> f64 {
        dot(&exact(phi), &self.w)
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        Self::learn(self, &exact(phi), target.into());
    }
}

/// The mathematics of `tracking`, with its defaults.
pub fn reference(n: usize) -> Box<dyn Contestant> {
    Box::new(Tracking::new(n, Config::ROWS))
}

/// The arithmetics of `tracking`, in the order of [`tracking`].
pub const ARITHMETICS: [&str; 1] = ["f64"];

/// `tracking` with its defaults in every arithmetic.
pub fn tracking(n: usize) -> [Box<dyn Contestant>; 1] {
    [reference(n)]
}
