//! The update as the paper writes it: means, two stored iterates, f64 throughout.

use nalgebra::DVector;

use super::{Gain, Parameters, Row};

/// A learner in plain f64.
#[derive(Clone, Debug)]
pub struct Plain {
    /// w_k.
    pub w: DVector<f64>,
    previous: DVector<f64>,
    k: u32,
    parameters: Parameters,
}

impl Plain {
    /// w₀ = w₋₁ = 0.
    pub fn new(n: usize, parameters: Parameters) -> Self {
        Self { w: DVector::zeros(n), previous: DVector::zeros(n), k: 0, parameters }
    }

    /// One update. Returns ϑ, or `None` if the update is skipped. The rows must be usable.
    pub fn update(&mut self, rows: &[Row]) -> Option<f64> {
        let rows: Vec<(DVector<f64>, f64)> = rows
            .iter()
            .map(|(phi, v)| (DVector::from_iterator(phi.len(), phi.iter().map(|&x| x.into())), f64::from(*v)))
            .collect();
        let mean_projection = |at: &dyn Fn(&DVector<f64>, f64) -> f64| {
            let zero = DVector::zeros(self.w.len());
            rows.iter().fold(zero, |sum, (phi, v)| sum + phi * (at(phi, *v) / phi.norm_squared())) / rows.len() as f64
        };
        let g = mean_projection(&|phi, v| phi.dot(&self.w) - v);
        let c = mean_projection(&|phi, _| phi.dot(&g));
        if c.norm() < self.parameters.skip_below || c.norm() == 0.0 {
            return None;
        }
        let theta = g.norm() / c.norm();
        self.k += 1;
        let eta = match self.parameters.gain {
            Gain::Harmonic => 1.0 / f64::from(self.k),
            Gain::ThreeQuarters => f64::from(self.k).powf(-0.75),
            Gain::Constant(gain) => gain,
        };
        let next = &self.w - g * (eta * theta) + (&self.w - &self.previous) * self.parameters.beta;
        self.previous = std::mem::replace(&mut self.w, next);
        Some(theta)
    }
}
