//! γ > 0: a walk on a ring whose true values are known at every step.

use std::sync::Arc;

use osculate_lab::dice::Dice;

use super::drifting::{ROWS, normal};
use super::gaussian::gaussian;
use super::{Data, Measure};
use crate::contender::{Step, product};

const STATES: usize = 25;
const FEATURES: usize = 10;
/// γ.
pub const GAMMA: f64 = 0.9;
const NOISE: f64 = 0.5;

/// How far w* walks at every step, and the names of the cases; in the last one it is replaced every 5 000 steps.
pub const CHANGES: [(f64, &str); 5] =
    [(0.0, "stationary"), (0.001, "q = .001"), (0.003, "q = .003"), (0.01, "q = .01"), (0.0, "jumps")];

/// A walk to a neighbour, three times out of four to the next one; one step in ten leads anywhere. A reward is φ·w* −
/// γ E[φ′]·w* and noise, so the values are φ·w*, whatever w* is at present.
struct Ring {
    dice: Dice,
    features: Vec<Arc<[f32]>>,
    /// E[φ′] of each state.
    next_features: Vec<Vec<f64>>,
    truth: Vec<f64>,
    case: usize,
    state: usize,
    row: usize,
}

impl Ring {
    fn new(case: usize, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let features: Vec<Arc<[f32]>> =
            (0..STATES).map(|_| normal(&mut dice, FEATURES).into_iter().map(|x| x as f32).collect()).collect();
        let next_features = (0..STATES).map(|state| {
            let mean = |i: usize| {
                let anywhere = features.iter().map(|phi| f64::from(phi[i])).sum::<f64>() / STATES as f64;
                let at = |state: usize| f64::from(features[state % STATES][i]);
                0.1 * anywhere + 0.9 * (0.75 * at(state + 1) + 0.25 * at(state + STATES - 1))
            };
            (0..FEATURES).map(mean).collect()
        });
        let next_features = next_features.collect();
        let truth = normal(&mut dice, FEATURES);
        Self { dice, features, next_features, truth, case, state: 0, row: 0 }
    }

    /// Takes a step.
    fn step(&mut self) -> Step {
        let (q, _) = CHANGES[self.case];
        if q > 0.0 {
            for w in &mut self.truth {
                *w = (1.0 - q * q).sqrt() * *w + q * gaussian(&mut self.dice);
            }
        } else if self.case == 4 && self.row > 0 && self.row.is_multiple_of(5_000) {
            self.truth = normal(&mut self.dice, FEATURES);
        }
        let (state, phi) = (self.state as u32, self.features[self.state].clone());
        let reward = product(&phi, &self.truth)
            - GAMMA * self.next_features[self.state].iter().zip(&self.truth).map(|(x, w)| x * w).sum::<f64>()
            + NOISE * gaussian(&mut self.dice);
        self.state = match (self.dice.below(10), self.dice.below(4)) {
            (0, _) => self.dice.below(STATES as u32) as usize,
            (_, 0) => (self.state + STATES - 1) % STATES,
            _ => (self.state + 1) % STATES,
        };
        self.row += 1;
        Step { state, ..Step::row(phi, reward as f32) }
    }
}

/// One endless episode. Errors are those of all values after every step, in units of the noise's variance.
pub(super) fn data(case: usize, seed: u64) -> Data {
    let (mut ring, mut data) = (Ring::new(case, seed), Data::new(Measure::Mean));
    for row in 0..ROWS {
        let step = ring.step();
        data.step(step, false);
        if row >= ROWS / 4 {
            for phi in &ring.features {
                data.predict(phi.clone(), product(phi, &ring.truth), 1.0 / (NOISE * NOISE));
            }
        }
    }
    data.checkpoint();
    // Where the last step leads, which is not learned from any more.
    data.steps.push(ring.step());
    data
}
