//! Rules that learn from every step and the value of the next state: TD(λ) and LSTD(λ).

use super::super::{Episode, product};
use super::Rule;

/// TD(λ) with an accumulating trace and a constant step; TD(0) with λ = 0.
pub(super) struct Td {
    w: Vec<f64>,
    trace: Vec<f64>,
    gamma: f64,
    lambda: f64,
    step: f64,
}

impl Td {
    pub(super) fn new(n: usize, gamma: f64, step: f64, lambda: f64) -> Self {
        Self { w: vec![0.0; n], trace: vec![0.0; n], gamma, lambda, step }
    }
}

impl Rule for Td {
    fn value(&self, phi: &[f32]) -> f64 {
        product(phi, &self.w)
    }

    fn learn(&mut self, episode: &Episode) {
        self.trace.fill(0.0);
        for (t, step) in episode.steps.iter().enumerate() {
            let next = episode.steps.get(t + 1).map_or(0.0, |next| self.value(&next.phi));
            let error = f64::from(step.reward) + self.gamma * next - self.value(&step.phi);
            for ((w, z), &x) in self.w.iter_mut().zip(&mut self.trace).zip(&*step.phi) {
                *z = self.gamma * self.lambda * *z + f64::from(x);
                *w += self.step * error * *z;
            }
        }
    }
}

/// Recursive LSTD(λ): the inverse of Σ z (φ − γφ′)ᵀ, n × n numbers that are not symmetric.
pub(super) struct Lstd {
    w: Vec<f64>,
    trace: Vec<f64>,
    inverse: Vec<f64>,
    gamma: f64,
    lambda: f64,
}

impl Lstd {
    pub(super) fn new(n: usize, gamma: f64, prior: f64, lambda: f64) -> Self {
        let inverse = (0..n * n).map(|i| if i % (n + 1) == 0 { prior } else { 0.0 }).collect();
        Self { w: vec![0.0; n], trace: vec![0.0; n], inverse, gamma, lambda }
    }

    /// One step by the formula of Sherman and Morrison.
    fn step(&mut self, phi: &[f32], reward: f64, next: Option<&[f32]>) {
        let n = phi.len();
        for (z, &x) in self.trace.iter_mut().zip(phi) {
            *z = self.gamma * self.lambda * *z + f64::from(x);
        }
        let difference: Vec<f64> =
            (0..n).map(|i| f64::from(phi[i]) - next.map_or(0.0, |next| self.gamma * f64::from(next[i]))).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let column: Vec<f64> = self.inverse.chunks_exact(n).map(|row| dot(row, &self.trace)).collect();
        let mut row = vec![0.0; n];
        for (of_inverse, d) in self.inverse.chunks_exact(n).zip(&difference) {
            row.iter_mut().zip(of_inverse).for_each(|(sum, p)| *sum += d * p);
        }
        let scale = 1.0 / (1.0 + dot(&difference, &column));
        let error = scale * (reward - dot(&difference, &self.w));
        for (of_inverse, c) in self.inverse.chunks_exact_mut(n).zip(&column) {
            of_inverse.iter_mut().zip(&row).for_each(|(p, r)| *p -= scale * c * r);
        }
        self.w.iter_mut().zip(&column).for_each(|(w, c)| *w += error * c);
    }
}

impl Rule for Lstd {
    fn value(&self, phi: &[f32]) -> f64 {
        product(phi, &self.w)
    }

    fn learn(&mut self, episode: &Episode) {
        self.trace.fill(0.0);
        for (t, step) in episode.steps.iter().enumerate() {
            let next = episode.steps.get(t + 1).map(|next| &*next.phi);
            self.step(&step.phi, step.reward.into(), next);
        }
    }
}
