//! Rules that learn from every step and the value of the next state: TD(λ) and LSTD(λ).

use super::filters::diagonal;
use crate::contender::{Contender, Step, product};

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

impl Contender for Td {
    fn weights(&self) -> &[f64] {
        &self.w
    }

    fn learn(&mut self, step: &Step, next: Option<&Step>) {
        let following = next.map_or(0.0, |next| product(&next.phi, &self.w));
        let error = f64::from(step.reward) + self.gamma * following - product(&step.phi, &self.w);
        for ((w, z), &x) in self.w.iter_mut().zip(&mut self.trace).zip(&*step.phi) {
            *z = self.gamma * self.lambda * *z + f64::from(x);
            *w += self.step * error * *z;
        }
        if next.is_none() {
            self.trace.fill(0.0);
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
        Self { w: vec![0.0; n], trace: vec![0.0; n], inverse: diagonal(n, prior), gamma, lambda }
    }
}

impl Contender for Lstd {
    fn weights(&self) -> &[f64] {
        &self.w
    }

    /// One step by the formula of Sherman and Morrison.
    fn learn(&mut self, step: &Step, next: Option<&Step>) {
        let n = step.phi.len();
        for (z, &x) in self.trace.iter_mut().zip(&*step.phi) {
            *z = self.gamma * self.lambda * *z + f64::from(x);
        }
        let following = |i: usize| next.map_or(0.0, |next| self.gamma * f64::from(next.phi[i]));
        let difference: Vec<f64> = (0..n).map(|i| f64::from(step.phi[i]) - following(i)).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let column: Vec<f64> = self.inverse.chunks_exact(n).map(|row| dot(row, &self.trace)).collect();
        let mut row = vec![0.0; n];
        for (of_inverse, d) in self.inverse.chunks_exact(n).zip(&difference) {
            row.iter_mut().zip(of_inverse).for_each(|(sum, p)| *sum += d * p);
        }
        let scale = 1.0 / (1.0 + dot(&difference, &column));
        let error = scale * (f64::from(step.reward) - dot(&difference, &self.w));
        for (of_inverse, c) in self.inverse.chunks_exact_mut(n).zip(&column) {
            of_inverse.iter_mut().zip(&row).for_each(|(p, r)| *p -= scale * c * r);
        }
        self.w.iter_mut().zip(&column).for_each(|(w, c)| *w += error * c);
        if next.is_none() {
            self.trace.fill(0.0);
        }
    }
}
