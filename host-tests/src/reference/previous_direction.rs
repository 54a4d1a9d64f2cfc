//! The `predictable` rule in plain f64 over stored rows, with the curvature along the previous direction. Streaming
//! must be equivalent to this, which uses no trace.

use nalgebra::DVector;

use super::Row;

/// A learner that stores the rows of an episode.
#[derive(Clone, Debug)]
pub struct PreviousDirection {
    /// w.
    pub w: DVector<f64>,
    /// w̄.
    pub averaged: DVector<f64>,
    before: DVector<f64>,
    direction: Option<DVector<f64>>,
    lengths: Option<(f64, f64)>,
    pairs: u32,
    k: u32,
}

impl PreviousDirection {
    /// At w = 0.
    pub fn new(n: usize) -> Self {
        let zero = DVector::zeros(n);
        Self { w: zero.clone(), averaged: zero.clone(), before: zero, direction: None, lengths: None, pairs: 0, k: 0 }
    }

    /// One update from the first-visit rows of an episode. Returns ϑ.
    pub fn update(&mut self, rows: &[(Vec<f64>, f64)]) -> f64 {
        let n = self.w.len();
        let sum = |coefficient: &dyn Fn(&DVector<f64>, f64) -> f64| {
            rows.iter().fold(DVector::zeros(n), |sum, (phi, v)| {
                let phi = DVector::from_column_slice(phi);
                let quotient = coefficient(&phi, *v) / phi.norm_squared();
                sum + phi * quotient
            })
        };
        let g = sum(&|phi, v| phi.dot(&self.w) - v);
        let theta = self.lengths.map_or(1.0 / rows.len() as f64, |(g, c)| g / c);
        self.k += 1;
        let k = f64::from(self.k);
        let next = &self.w - &g * (k.powf(-0.75) * theta) + (&self.w - &self.before) * 0.5;
        self.before = std::mem::replace(&mut self.w, next);
        self.averaged += (&self.w - &self.averaged) * f64::min(1.0, 4.0 / (k + 3.0));
        if let Some(previous) = self.direction.replace(g) {
            let pair = (previous.norm(), sum(&|phi, _| phi.dot(&previous)).norm());
            let share = f64::max(0.02, 1.0 / f64::from(self.pairs + 1));
            let (g, c) = self.lengths.unwrap_or(pair);
            self.lengths = Some((g + share * (pair.0 - g), c + share * (pair.1 - c)));
            self.pairs += 1;
        }
        theta
    }
}

/// The rows of an f32 world, widened to f64.
pub fn widened(rows: &[Row]) -> Vec<(Vec<f64>, f64)> {
    rows.iter().map(|(phi, v)| (phi.iter().map(|&x| x.into()).collect(), f64::from(*v))).collect()
}
