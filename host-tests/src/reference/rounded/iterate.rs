//! The state that an update changes.

use super::super::Gain;
use super::number::{add, div, kept, mul, norm, round24, sqrt, sub};

/// The weights, their velocity, their average, and the number of the last update.
#[derive(Clone, Debug)]
pub struct Iterate {
    pub(super) w: Vec<f64>,
    pub(super) velocity: Vec<f64>,
    pub(super) averaged: Vec<f64>,
    pub(super) k: u32,
}

impl Iterate {
    /// At rest, before the first update.
    pub(super) fn new(w: Vec<f64>) -> Self {
        Self { velocity: vec![0.0; w.len()], averaged: w.clone(), w, k: 0 }
    }

    /// w.
    pub fn weights(&self) -> &[f64] {
        &self.w
    }

    /// w − w⁻.
    pub fn velocity(&self) -> &[f64] {
        &self.velocity
    }

    /// w̄.
    pub fn averaged(&self) -> &[f64] {
        &self.averaged
    }

    /// ‖w − w⁻‖.
    pub fn step_length(&self) -> f64 {
        kept(norm(&self.velocity))
    }

    /// The number of updates that had rows.
    pub fn steps(&self) -> u32 {
        self.k
    }

    /// η_k.
    pub(super) fn gain(&self, gain: Gain) -> f64 {
        let k = round24(self.k.into());
        match gain {
            Gain::Harmonic => div(1.0, k),
            Gain::ThreeQuarters => div(1.0, mul(sqrt(k), sqrt(sqrt(k)))),
            Gain::Constant(gain) => round24(gain),
        }
    }

    /// w⁺ = w − step · g + β (w − w⁻), and w̄ += 4/(k + 3) (w⁺ − w̄). Changes nothing if a number leaves the range.
    ///
    /// Two weights at opposite ends of the range, whose *difference* is out of range, are not modelled.
    pub(super) fn advance(&mut self, step: f64, g: &[f64], beta: f64) -> Option<()> {
        let velocity: Vec<f64> =
            self.velocity.iter().zip(g).map(|(&v, &g)| kept(sub(mul(beta, v), kept(mul(step, g))))).collect();
        let w: Vec<f64> = self.w.iter().zip(&velocity).map(|(&w, &v)| kept(add(w, v))).collect();
        if !w.iter().all(|w| w.is_finite()) {
            return None;
        }
        let share = div(4.0, round24(f64::from(self.k) + 3.0));
        for (mean, &w) in self.averaged.iter_mut().zip(&w) {
            *mean = add(*mean, mul(share, sub(w, *mean)));
        }
        (self.w, self.velocity) = (w, velocity);
        Some(())
    }
}
