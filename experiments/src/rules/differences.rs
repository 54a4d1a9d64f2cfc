//! Rules that learn from every step and the value of the next state: TD(λ), LSTD(λ) and SwiftTD.

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

/// What SwiftTD knows about one weight.
#[derive(Clone, Copy, Default)]
struct Weight {
    /// The logarithm of its step.
    log_step: f64,
    step: f64,
    /// The dutch trace, and its part from the present step.
    trace: f64,
    fresh: f64,
    /// The last change of w.
    change: f64,
    /// ∂w/∂ log step: now, one step ago, and as it will be before the next error is known.
    slope: f64,
    slope_before: f64,
    slope_next: f64,
    /// The traces of the meta-gradient.
    meta_trace: f64,
    slope_trace: f64,
}

/// Its parameters: the discount, λ, the first step, the step of the steps, and the bound on the rate of learning.
#[derive(Clone, Copy)]
pub(super) struct Parameters {
    pub(super) gamma: f64,
    pub(super) lambda: f64,
    pub(super) step: f64,
    pub(super) meta: f64,
    pub(super) bound: f64,
}

struct SwiftTd {
    weights: Vec<Weight>,
    parameters: Parameters,
    value_before: f64,
    /// φ·(the last change of w).
    moved: f64,
}

/// What steps beyond the bound shrink by.
const DECAY: f64 = 0.99;

/// SwiftTD (Javed, Sharifnassab and Sutton, 2024): true-online TD(λ) with a step per weight that is adapted by its
/// meta-gradient, a bound on how far one update may go, and a decay of the steps that reach it.
pub(super) fn swift_td(n: usize, parameters: Parameters) -> Contender {
    let (step, log_step) = (parameters.step, libm::log(parameters.step));
    let weights = vec![Weight { step, log_step, ..Weight::default() }; n];
    let mut rule = SwiftTd { weights, parameters, value_before: 0.0, moved: 0.0 };
    Contender::steps(n, move |learned, step, next| {
        if !learned.is_on_its_way {
            rule.enter(&step.phi, product(&step.phi, &learned.w));
        }
        let value = next.map_or(0.0, |next| product(&next.phi, &learned.w));
        rule.follow(&mut learned.w, step.reward, value);
        match next {
            Some(next) => rule.enter(&next.phi, value),
            None => rule.end(),
        }
    })
}

impl SwiftTd {
    /// Learns from the reward that has come, in a state of this value.
    fn follow(&mut self, w: &mut [f64], reward: f32, value: f64) {
        let Parameters { gamma, lambda, meta, bound, .. } = self.parameters;
        let error = f64::from(reward) + gamma * value - self.value_before;
        let most = libm::log(bound);
        for (w, one) in w.iter_mut().zip(&mut self.weights) {
            one.change = error * one.trace - one.fresh * self.moved;
            *w += one.change;
            one.log_step += meta / (one.step + 1e-8) * (error - self.moved) * one.meta_trace;
            if one.log_step > most || !one.log_step.is_finite() {
                one.log_step = most;
            }
            one.step = libm::exp(one.log_step);
            one.slope_before = one.slope;
            one.slope = one.slope_next + error * one.slope_trace - one.fresh * self.moved;
            one.slope_next = one.slope;
            one.fresh = 0.0;
            one.trace *= gamma * lambda;
            one.meta_trace *= gamma * lambda;
            one.slope_trace *= gamma * lambda;
        }
    }

    /// Enters a state.
    fn enter(&mut self, phi: &[f32], value: f64) {
        let bound = self.parameters.bound;
        let (mut rate, mut overlap) = (0.0, 0.0);
        for (one, &x) in self.weights.iter().zip(phi) {
            let x = f64::from(x);
            rate += one.step * x * x;
            overlap += one.trace * x;
        }
        let share = (bound / rate).min(1.0);
        let decay = libm::log(DECAY);
        self.moved = 0.0;
        for (one, &x) in self.weights.iter_mut().zip(phi) {
            let x = f64::from(x);
            self.moved += one.change * x;
            one.fresh = share * one.step * x;
            one.trace += one.fresh * (1.0 - overlap);
            one.meta_trace += one.slope_before * x;
            one.slope_trace += one.fresh * (1.0 - overlap - one.slope_trace * x);
            one.slope_next = one.slope - one.slope_before * x * (one.trace - one.fresh) - one.slope * one.fresh * x;
            if share < 1.0 {
                (one.slope, one.slope_before, one.slope_next, one.slope_trace) = (0.0, 0.0, 0.0, 0.0);
                one.log_step += x * x * decay;
                one.step = libm::exp(one.log_step);
            }
        }
        self.value_before = value;
    }

    /// Nothing is carried over to another episode but what was learned.
    fn end(&mut self) {
        self.moved = 0.0;
        for one in &mut self.weights {
            (one.trace, one.fresh, one.change, one.meta_trace, one.slope_trace) = (0.0, 0.0, 0.0, 0.0, 0.0);
        }
    }
}
