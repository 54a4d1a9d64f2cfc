//! The filters that an engineer would tune: NLMS and RLS, in f64.

use super::contestants::{Contestant, product};

/// Normalised least mean squares: w ← w + μ (V − φ·w)/‖φ‖² φ.
#[derive(Clone, Debug)]
pub struct Nlms {
    w: Vec<f64>,
    gain: f64,
}

impl Nlms {
    /// The gains μ to choose from, down to the least gain of `tracking`: a grid that ends earlier flatters it.
    pub const GAINS: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

    /// w = 0.
    pub fn new(n: usize, gain: f64) -> Self {
        Self { w: vec![0.0; n], gain }
    }
}

impl Contestant for Nlms {
    fn value(&self, phi: &[f32]) -> f64 {
        product(phi, &self.w)
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        let square: f64 = phi.iter().map(|&x| f64::from(x).powi(2)).sum();
        let step = self.gain * (f64::from(target) - self.value(phi)) / square;
        self.w.iter_mut().zip(phi).for_each(|(w, &x)| *w += step * f64::from(x));
    }
}

/// Recursive least squares with exponential forgetting: n × n numbers.
#[derive(Clone, Debug)]
pub struct Rls {
    w: Vec<f64>,
    /// The inverse of the weighted Σ φφᵀ, row by row.
    inverse: Vec<f64>,
    forgetting: f64,
}

impl Rls {
    /// The forgetting factors to choose from.
    pub const FACTORS: [f64; 8] = [1.0, 0.9995, 0.999, 0.998, 0.995, 0.99, 0.98, 0.95];

    /// w = 0, with next to no confidence.
    pub fn new(n: usize, forgetting: f64) -> Self {
        Self::with_prior(n, 100.0, forgetting)
    }

    /// w = 0; the larger the prior, the less confidence in that.
    pub fn with_prior(n: usize, prior: f64, forgetting: f64) -> Self {
        let inverse = (0..n * n).map(|i| if i % (n + 1) == 0 { prior } else { 0.0 }).collect();
        Self { w: vec![0.0; n], inverse, forgetting }
    }
}

impl Contestant for Rls {
    fn value(&self, phi: &[f32]) -> f64 {
        product(phi, &self.w)
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        let n = phi.len();
        let error = f64::from(target) - self.value(phi);
        let direction: Vec<f64> = self.inverse.chunks_exact(n).map(|row| product(phi, row)).collect();
        let scale = 1.0 / (self.forgetting + product(phi, &direction));
        for (row, a) in self.inverse.chunks_exact_mut(n).zip(&direction) {
            for (p, b) in row.iter_mut().zip(&direction) {
                // a·b first: an asymmetry of one rounding would grow with every division.
                *p = (*p - scale * (a * b)) / self.forgetting;
            }
        }
        self.w.iter_mut().zip(&direction).for_each(|(w, a)| *w += scale * error * a);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::closed_form::{least_squares, relative_error};
    use crate::worlds::NoisyStates;

    #[test]
    fn without_forgetting_rls_solves_the_least_squares_problem() {
        let mut dice = crate::worlds::Dice::new(2);
        let rows = NoisyStates::contradictory(1, 25, 5, 0.5).draw(&mut dice, 25);
        let mut rls = Rls::new(5, 1.0);
        for _ in 0..1_000 {
            rows.iter().for_each(|(phi, v)| rls.learn(phi, *v));
        }
        assert!(relative_error(&rls.w, &least_squares(&rows)) < 1e-4);
    }

    #[test]
    fn forgetting_lasts() {
        let mut dice = crate::worlds::Dice::new(3);
        let mut rls = Rls::new(4, 0.98);
        for _ in 0..20_000 {
            let phi = crate::worlds::row(&mut dice, 4);
            rls.learn(&phi, 2.0 * phi[1]);
        }
        assert!((rls.value(&[0.0, 1.0, 0.0, 0.0]) - 2.0).abs() < 1e-6);
    }

    #[test]
    fn a_gain_of_one_projects_onto_the_row() {
        let mut nlms = Nlms::new(3, 1.0);
        let phi = [1.0, -2.0, 0.5];
        nlms.learn(&phi, 4.0);
        assert!((nlms.value(&phi) - 4.0).abs() < 1e-15);
    }
}
