//! SwiftTD (Javed, Sharifnassab and Sutton, 2024): true-online TD(λ) with a step per weight that is adapted by its
//! meta-gradient, a bound on how far one update may go, and a decay of the steps that reach it.

use crate::contender::{Contender, product};

/// What it knows about one weight.
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

/// Parameters: the discount, λ, the first step, the step of the steps, and the bound on the rate of learning.
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

/// With all weights 0.
pub(super) fn swift_td(n: usize, parameters: Parameters) -> Contender {
    let (step, log_step) = (parameters.step, libm::log(parameters.step));
    let weights = vec![Weight { step, log_step, ..Weight::default() }; n];
    let mut rule = SwiftTd { weights, parameters, value_before: 0.0, moved: 0.0 };
    let mut is_on_its_way = false;
    Contender::steps(n, move |learned, step, next| {
        if !is_on_its_way {
            rule.enter(&step.phi, product(&step.phi, &learned.w));
        }
        let value = next.map_or(0.0, |next| product(&next.phi, &learned.w));
        rule.follow(&mut learned.w, step.reward, value);
        match next {
            Some(next) => rule.enter(&next.phi, value),
            None => rule.end(),
        }
        is_on_its_way = next.is_some();
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
