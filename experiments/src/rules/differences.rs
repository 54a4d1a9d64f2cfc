//! Rules that learn from every step and the value of the next state: TD(λ) and LSTD(λ).

use super::filters::diagonal;
use crate::contender::{Contender, product};

/// TD(λ) with an accumulating trace and a constant step; TD(0) with λ = 0.
pub(super) fn td(n: usize, gamma: f64, size: f64, lambda: f64) -> Contender {
    let mut trace = vec![0.0; n];
    Contender::steps(n, move |learned, step, next| {
        let following = next.map_or(0.0, |next| product(&next.phi, &learned.w));
        let error = f64::from(step.reward) + gamma * following - product(&step.phi, &learned.w);
        for ((w, z), &x) in learned.w.iter_mut().zip(&mut trace).zip(&*step.phi) {
            *z = gamma * lambda * *z + f64::from(x);
            *w += size * error * *z;
        }
        if next.is_none() {
            trace.fill(0.0);
        }
    })
}

/// Recursive LSTD(λ): the inverse of Σ z (φ − γφ′)ᵀ, n × n numbers that are not symmetric. One step by the formula of
/// Sherman and Morrison.
pub(super) fn lstd(n: usize, gamma: f64, prior: f64, lambda: f64) -> Contender {
    let (mut trace, mut inverse) = (vec![0.0; n], diagonal(n, prior));
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    Contender::steps(n, move |learned, step, next| {
        for (z, &x) in trace.iter_mut().zip(&*step.phi) {
            *z = gamma * lambda * *z + f64::from(x);
        }
        let following = |i: usize| next.map_or(0.0, |next| gamma * f64::from(next.phi[i]));
        let difference: Vec<f64> = (0..n).map(|i| f64::from(step.phi[i]) - following(i)).collect();
        let column: Vec<f64> = inverse.chunks_exact(n).map(|row| dot(row, &trace)).collect();
        let mut row = vec![0.0; n];
        for (of_inverse, d) in inverse.chunks_exact(n).zip(&difference) {
            row.iter_mut().zip(of_inverse).for_each(|(sum, p)| *sum += d * p);
        }
        let scale = 1.0 / (1.0 + dot(&difference, &column));
        let error = scale * (f64::from(step.reward) - dot(&difference, &learned.w));
        for (of_inverse, c) in inverse.chunks_exact_mut(n).zip(&column) {
            of_inverse.iter_mut().zip(&row).for_each(|(p, r)| *p -= scale * c * r);
        }
        learned.w.iter_mut().zip(&column).for_each(|(w, c)| *w += error * c);
        if next.is_none() {
            trace.fill(0.0);
        }
    })
}
