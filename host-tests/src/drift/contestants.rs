//! Who takes part: anything that predicts a row's target and learns from it.

use osculate::{Arithmetic, Predictor, Q24, Q28, TrackingConfig};

use crate::reference::plain_tracking::{Config, Tracking, dot};

/// A learner of rows.
pub trait Contestant {
    /// φ·w.
    fn value(&self, phi: &[f32]) -> f64;
    /// Learns a row.
    fn learn(&mut self, phi: &[f32], target: f32);
    /// How many numbers have saturated since the last call.
    fn saturated(&mut self) -> u32 {
        0
    }
}

/// Σ φᵢ aᵢ.
pub(crate) fn product<W: Copy + Into<f64>>(phi: &[f32], a: &[W]) -> f64 {
    phi.iter().zip(a).map(|(&x, &a)| f64::from(x) * a.into()).sum()
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

impl<A: Arithmetic, const N: usize> Contestant for Predictor<osculate::Tracking<A, N>> {
    /// In f64 from the weights: the error is that of what was learned, and not of the format of a prediction.
    fn value(&self, phi: &[f32]) -> f64 {
        product(phi, self.weights())
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        // Every row here is usable.
        _ = Self::learn(self, target, phi.try_into().expect("as many features as weights"));
    }

    fn saturated(&mut self) -> u32 {
        self.end().saturated
    }
}

/// The arithmetics of `tracking`, in the order of [`tracking`].
pub const ARITHMETICS: [&str; 4] = ["f64", "f32", "q28", "q24"];

/// `tracking` with its defaults in every arithmetic, for one of the [`SIZES`](super::SIZES).
pub fn tracking(n: usize) -> [Box<dyn Contestant>; 4] {
    match n {
        4 => in_all_arithmetics::<4>(),
        10 => in_all_arithmetics::<10>(),
        32 => in_all_arithmetics::<32>(),
        _ => unreachable!("not a size of the table"),
    }
}

fn in_all_arithmetics<const N: usize>() -> [Box<dyn Contestant>; 4] {
    [Box::new(rows::<f64, N>()), Box::new(rows::<f32, N>()), Box::new(rows::<Q28, N>()), Box::new(rows::<Q24, N>())]
}

/// `tracking` with its defaults, for rows with given targets.
pub(super) fn rows<A: Arithmetic, const N: usize>() -> Predictor<osculate::Tracking<A, N>> {
    let config = TrackingConfig { gamma: 0.0, ..TrackingConfig::DEFAULT };
    Predictor::new(osculate::Tracking::new(config).expect("a valid config"))
}
