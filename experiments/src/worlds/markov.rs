//! Worlds with states: their values and visits are solved for, and episodes are drawn from them.

use std::sync::{Arc, LazyLock};

use nalgebra::{DMatrix, DVector};
use osculate_host_tests::worlds::Dice;

use super::drifting::{Case, ROWS, Truth};
use super::{Check, Data, Measure, gaussian, normal, with_returns};
use crate::contender::{Step, product};

/// Errors are measured after this many episodes.
pub(crate) const CHECKPOINTS: [usize; 3] = [10, 100, 1_000];

/// What may happen in a state: its probability, the next state (none: the end), and the mean reward.
type Outcome = (f64, Option<usize>, f64);

/// A Markov chain with rewards, in which every episode ends.
pub(super) struct World {
    features: Vec<Arc<[f32]>>,
    outcomes: Vec<Vec<Outcome>>,
    /// The first state, or any.
    start: Option<usize>,
    gamma: f64,
    /// The standard deviation of the noise of rewards.
    noise: f64,
    values: Vec<f64>,
    visits: Vec<f64>,
}

pub(super) static BOYAN: LazyLock<World> = LazyLock::new(World::boyan);
pub(super) static WALK: LazyLock<World> = LazyLock::new(World::walk);

impl World {
    /// Boyan's chain (1999): from state 12 down by one or two, 4 features in between, state 0 is the end.
    fn boyan() -> Self {
        // A quarter of the usual rewards of −3 and −2.
        let outcomes = (1..=12_usize).map(|state| match state {
            1 => vec![(1.0, None, -0.5)],
            // State s has the index s − 1.
            2 => vec![(0.5, Some(0), -0.75), (0.5, None, -0.75)],
            _ => vec![(0.5, Some(state - 2), -0.75), (0.5, Some(state - 3), -0.75)],
        });
        let features = (1..=12).map(|state| {
            let at = |corner: usize| (1.0 - (state as f32 / 4.0 - (3 - corner) as f32).abs()).max(0.0);
            (0..4).map(at).collect()
        });
        Self::solved(features.collect(), outcomes.collect(), Some(11), 1.0, 0.0)
    }

    /// The walk of 1000 states (Sutton and Barto, example 9.1) with cosines up to the 10th order.
    fn walk() -> Self {
        let outcomes = (0..1000_i32).map(|state| {
            let jumps = (-100..=100).filter(|jump| *jump != 0);
            let mut inside: Vec<Outcome> = jumps
                .map(|jump| state + jump)
                .filter(|next| (0..1000).contains(next))
                .map(|next| (1.0 / 200.0, Some(next as usize), 0.0))
                .collect();
            let (left, right) = ((100 - state).max(0), (state - 899).max(0));
            inside.push((f64::from(left) / 200.0, None, -1.0));
            inside.push((f64::from(right) / 200.0, None, 1.0));
            inside
        });
        let features = (0..1000).map(|state| {
            let x = f64::from(state) / 999.0;
            (0..11).map(|order| libm::cos(std::f64::consts::PI * f64::from(order) * x) as f32).collect()
        });
        Self::solved(features.collect(), outcomes.collect(), Some(499), 1.0, 0.0)
    }

    /// A random MDP under a random policy. Rewards are such that the values are φ·w* and, for a tenth of their size,
    /// anything.
    pub(super) fn mdp(seed: u64, n: usize) -> Self {
        const STATES: usize = 100;
        const ACTIONS: usize = 3;
        const SUCCESSORS: usize = 5;
        const STOP: f64 = 0.05;
        const GAMMA: f64 = 0.95;
        let mut dice = Dice::new(seed + 77_000);
        let unit = |dice: &mut Dice| (f64::from(dice.uniform()) + 1.0) / 2.0;
        let features: Vec<Arc<[f32]>> =
            (0..STATES).map(|_| (0..n).map(|j| if j == 0 { 1.0 } else { dice.uniform() }).collect()).collect();
        let mut transitions = vec![vec![0.0; STATES]; STATES];
        for from in &mut transitions {
            let policy = shares((0..ACTIONS).map(|_| unit(&mut dice)).collect());
            for action in policy {
                for share in shares((0..SUCCESSORS).map(|_| unit(&mut dice)).collect()) {
                    from[dice.below(STATES as u32) as usize] += (1.0 - STOP) * action * share;
                }
            }
        }
        let w: Vec<f64> = (0..n).map(|_| gaussian(&mut dice) / 3.0).collect();
        let explained: Vec<f64> = features.iter().map(|phi| product(phi, &w)).collect();
        let size = (explained.iter().map(|v| v * v).sum::<f64>() / STATES as f64).sqrt();
        let values: Vec<f64> = explained.iter().map(|v| v + 0.1 * size * gaussian(&mut dice)).collect();
        let outcomes = transitions.iter().zip(&values).map(|(from, value)| {
            let following: f64 = from.iter().zip(&values).map(|(p, v)| p * v).sum();
            let reward = value - GAMMA * following;
            let going = from.iter().enumerate().filter(|(_, p)| **p > 0.0).map(|(next, &p)| (p, Some(next), reward));
            going.chain([(STOP, None, reward)]).collect()
        });
        Self::solved(features, outcomes.collect(), None, GAMMA, 0.5)
    }

    fn solved(
        features: Vec<Arc<[f32]>>,
        outcomes: Vec<Vec<Outcome>>,
        start: Option<usize>,
        gamma: f64,
        noise: f64,
    ) -> Self {
        let m = outcomes.len();
        let mut going = DMatrix::zeros(m, m);
        for (state, outcomes) in outcomes.iter().enumerate() {
            for (p, next, _) in outcomes {
                next.iter().for_each(|&next| going[(state, next)] += p);
            }
        }
        let rewards = outcomes.iter().map(|outcomes| outcomes.iter().map(|(p, _, reward)| p * reward).sum());
        let rewards = DVector::from_iterator(m, rewards);
        let starts = DVector::from_fn(m, |state, _| match start {
            None => 1.0 / m as f64,
            Some(first) => f64::from(u8::from(first == state)),
        });
        let identity = DMatrix::identity(m, m);
        let values = (&identity - &going * gamma).lu().solve(&rewards).expect("every episode ends");
        let visits = (identity - going.transpose()).lu().solve(&starts).expect("every episode ends");
        let sum = visits.sum();
        let (values, visits) = (values.as_slice().to_vec(), visits.iter().map(|d| d / sum).collect());
        Self { features, outcomes, start, gamma, noise, values, visits }
    }

    /// Episodes, and the truth about the states.
    pub(super) fn data(&self, seed: u64) -> Data {
        let mut dice = Dice::new(seed + 10_000);
        let mut data = Data::new(Measure::Relative);
        for k in 1..=CHECKPOINTS[2] {
            data.episode(self.episode(&mut dice));
            if CHECKPOINTS.contains(&k) {
                data.checkpoint();
            }
        }
        let states = self.features.iter().zip(&self.values).zip(&self.visits);
        data.states = states.map(|((phi, &value), &weight)| Check { phi: phi.clone(), value, weight }).collect();
        data
    }

    fn episode(&self, dice: &mut Dice) -> Vec<Step> {
        let unit = |dice: &mut Dice| f64::from(dice.bits()) / 4_294_967_296.0;
        let mut state = self.start.unwrap_or_else(|| dice.below(self.features.len() as u32) as usize);
        let mut steps: Vec<Step> = Vec::new();
        loop {
            let mut left = unit(dice);
            let outcomes = &self.outcomes[state];
            let happens = outcomes.iter().find(|(p, ..)| {
                left -= p;
                left < 0.0
            });
            let (_, next, mean) = happens.unwrap_or(&outcomes[outcomes.len() - 1]);
            let noise = if self.noise > 0.0 { self.noise * gaussian(dice) } else { 0.0 };
            let phi = self.features[state].clone();
            steps.push(Step { state: state as u32, ..Step::row(phi, (mean + noise) as f32) });
            let Some(next) = next else { break };
            state = *next;
        }
        with_returns(steps, self.gamma)
    }
}

/// The same, with the sum 1.
fn shares(parts: Vec<f64>) -> Vec<f64> {
    let sum: f64 = parts.iter().sum();
    parts.into_iter().map(|part| part / sum).collect()
}

/// The sizes of the ring, its γ, and the noise of its rewards.
const STATES: usize = 25;
const FEATURES: usize = 10;
pub(super) const GAMMA: f64 = 0.9;
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
pub(super) fn ring(case: Case, seed: u64) -> Data {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_boyans_chain_are_the_published_ones() {
        let world = &BOYAN;
        // −2 per state, of which a quarter.
        for (state, value) in (1..=12).zip(&world.values) {
            assert!((value + f64::from(state) / 2.0).abs() < 1e-12, "{state}: {value}");
        }
        let w = [-6.0, -4.0, -2.0, 0.0];
        for (phi, value) in world.features.iter().zip(&world.values) {
            assert!((product(phi, &w) - value).abs() < 1e-12);
        }
    }

    #[test]
    fn values_are_the_means_of_returns() {
        let world = World::mdp(3, 24);
        let mut dice = Dice::new(1);
        let (mut sums, mut counts) = (vec![0.0; 100], vec![0.0; 100]);
        for _ in 0..20_000 {
            for step in world.episode(&mut dice) {
                sums[step.state as usize] += f64::from(step.target);
                counts[step.state as usize] += 1.0;
            }
        }
        let total: f64 = counts.iter().sum();
        for (state, value) in world.values.iter().enumerate() {
            assert!((sums[state] / counts[state] - value).abs() < 0.5, "{state}");
            assert!((counts[state] / total / world.visits[state] - 1.0).abs() < 0.2, "{state}");
        }
    }
}
