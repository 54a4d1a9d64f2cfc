//! γ > 0: a walk on a ring whose true values are known at every step.

use std::sync::Arc;

use osculate_host_tests::worlds::Dice;

use super::data::{Data, Measure};
use super::drifting::{Case, ROWS, Truth};
use super::{gaussian, normal};
use crate::contender::{Step, product};

const STATES: usize = 25;
const FEATURES: usize = 10;
/// γ.
pub(crate) const GAMMA: f64 = 0.9;
const NOISE: f64 = 0.5;

/// A walk to a neighbour, three times out of four to the next one; one step in ten leads anywhere. A reward is φ·w* −
/// γ E[φ′]·w* and noise, so the values are φ·w*, whatever w* is at present.
struct Ring {
    dice: Dice,
    features: Vec<Arc<[f32]>>,
    /// E[φ′] of each state.
    next_features: Vec<Vec<f64>>,
    truth: Truth,
    state: usize,
}

impl Ring {
    fn new(case: Case, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let features: Vec<Arc<[f32]>> =
            (0..STATES).map(|_| normal(&mut dice, FEATURES).into_iter().map(|x| x as f32).collect()).collect();
        let expected = |state: usize| {
            let mean = |i: usize| {
                let anywhere = features.iter().map(|phi| f64::from(phi[i])).sum::<f64>() / STATES as f64;
                let at = |state: usize| f64::from(features[state % STATES][i]);
                0.1 * anywhere + 0.9 * (0.75 * at(state + 1) + 0.25 * at(state + STATES - 1))
            };
            (0..FEATURES).map(mean).collect()
        };
        let next_features = (0..STATES).map(expected).collect();
        let truth = Truth::new(case, &mut dice, FEATURES);
        Self { dice, features, next_features, truth, state: 0 }
    }

    /// Takes a step.
    fn step(&mut self) -> Step {
        self.truth.advance(&mut self.dice);
        let (state, phi) = (self.state as u32, self.features[self.state].clone());
        let reward = product(&phi, &self.truth.w)
            - GAMMA * self.next_features[self.state].iter().zip(&self.truth.w).map(|(x, w)| x * w).sum::<f64>()
            + NOISE * gaussian(&mut self.dice);
        self.state = match (self.dice.below(10), self.dice.below(4)) {
            (0, _) => self.dice.below(STATES as u32) as usize,
            (_, 0) => (self.state + STATES - 1) % STATES,
            _ => (self.state + 1) % STATES,
        };
        Step { state, ..Step::row(phi, reward as f32) }
    }
}

/// One endless episode. Errors are those of all values after every step, in units of the noise's variance.
pub(super) fn data(case: Case, seed: u64) -> Data {
    let (mut ring, mut data) = (Ring::new(case, seed), Data::new(Measure::Mean));
    for row in 0..ROWS {
        let step = ring.step();
        data.step(step, false);
        if row >= ROWS / 4 {
            for phi in &ring.features {
                data.predict(phi.clone(), product(phi, &ring.truth.w), 1.0 / (NOISE * NOISE));
            }
        }
    }
    data.checkpoint();
    // Where the last step leads, which is not learned from any more.
    data.steps.push(ring.step());
    data
}
