//! A random Markov chain with rewards: the rows of an episode depend on each other.

use nalgebra::{DMatrix, DVector};

use super::{Dice, row};
use crate::reference::{Row, closed_form};

/// States with random features and transitions. The reward on leaving a state is uniform between 0 and twice its mean.
/// An episode stops with a fixed probability per step.
#[derive(Clone, Debug)]
pub struct Chain {
    features: Vec<Vec<f32>>,
    mean_rewards: Vec<f32>,
    transitions: DMatrix<f64>,
}

impl Chain {
    /// The probability of stopping after a step.
    pub const STOP: f64 = 0.1;
    /// The discount γ.
    pub const GAMMA: f32 = 0.9;

    /// m states, n features uniform in [−1, 1), mean rewards uniform in [0, 1) (so rewards lie in [0, 2)), transition
    /// rows uniform and then normalised.
    pub fn new(seed: u64, m: usize, n: usize) -> Self {
        let mut dice = Dice::new(seed);
        let features = (0..m).map(|_| row(&mut dice, n)).collect();
        let mean_rewards = (0..m).map(|_| (dice.uniform() + 1.0) / 2.0).collect();
        let mut transitions = DMatrix::from_fn(m, m, |_, _| f64::from(dice.uniform()) + 1.0);
        for mut row in transitions.row_iter_mut() {
            let sum = row.sum();
            row /= sum;
        }
        Self { features, mean_rewards, transitions }
    }

    /// φ of a state.
    pub fn features(&self, state: usize) -> &[f32] {
        &self.features[state]
    }

    /// One episode from a uniformly random start: states, each with the reward received on leaving it.
    pub fn episode(&self, dice: &mut Dice) -> Vec<(usize, f32)> {
        let m = self.mean_rewards.len();
        let mut state = dice.below(m as u32) as usize;
        let mut visits = Vec::new();
        loop {
            visits.push((state, (dice.uniform() + 1.0) * self.mean_rewards[state]));
            let unit = |dice: &mut Dice| f64::from(dice.bits()) / 4_294_967_296.0;
            if unit(dice) < Self::STOP {
                return visits;
            }
            let mut left = unit(dice);
            let row = self.transitions.row(state);
            state = (0..m)
                .find(|&next| {
                    left -= row[next];
                    left < 0.0
                })
                .unwrap_or(m - 1);
        }
    }

    /// The first-visit rows of an episode with their Monte Carlo returns, in f64.
    pub fn rows(&self, visits: &[(usize, f32)]) -> Vec<Row> {
        let mut value = 0.0;
        let mut returns: Vec<f64> = visits
            .iter()
            .rev()
            .map(|(_, reward)| {
                value = f64::from(*reward) + f64::from(Self::GAMMA) * value;
                value
            })
            .collect();
        returns.reverse();
        let first = |t: &usize| visits[..*t].iter().all(|(state, _)| *state != visits[*t].0);
        (0..visits.len()).filter(first).map(|t| (self.features[visits[t].0].clone(), returns[t] as f32)).collect()
    }

    /// w* = argmin Σ dᵢ (φᵢ·w − vᵢ)²/‖φᵢ‖² with the true values vᵢ and the weights dᵢ given by `weighting`.
    pub fn solution(&self, weighting: Weighting) -> DVector<f64> {
        let values = self.values();
        let d = match weighting {
            Weighting::Stationary => self.stationary(),
            Weighting::FirstVisits => self.visited(),
        };
        let rows: Vec<_> = (0..values.len()).map(|i| (self.features[i].clone(), values[i], d[i])).collect();
        closed_form::weighted_scale_invariant(&rows)
    }

    /// v = r + γ(1 − stop) P v.
    fn values(&self) -> DVector<f64> {
        let m = self.mean_rewards.len();
        let rewards = DVector::from_iterator(m, self.mean_rewards.iter().map(|&r| f64::from(r)));
        let discount = f64::from(Self::GAMMA) * (1.0 - Self::STOP);
        let system = DMatrix::identity(m, m) - &self.transitions * discount;
        system.lu().solve(&rewards).expect("I - γP is regular for γ < 1")
    }

    /// π with π P = π.
    fn stationary(&self) -> DVector<f64> {
        let m = self.mean_rewards.len();
        // One of the equations is redundant; Σ π = 1 replaces it.
        let mut system = self.transitions.transpose() - DMatrix::identity(m, m);
        system.row_mut(0).fill(1.0);
        let mut one = DVector::zeros(m);
        one[0] = 1.0;
        system.lu().solve(&one).expect("the chain is irreducible")
    }

    /// The probability that an episode visits each state.
    fn visited(&self) -> DVector<f64> {
        let m = self.mean_rewards.len();
        let reached = |i: usize| {
            // The probability h(s) of ever reaching i: h(i) = 1, h(s) = Σ P(s, s') h(s') elsewhere.
            let mut system = DMatrix::identity(m, m) - &self.transitions * (1.0 - Self::STOP);
            system.row_mut(i).fill(0.0);
            system[(i, i)] = 1.0;
            let mut unit = DVector::zeros(m);
            unit[i] = 1.0;
            system.lu().solve(&unit).expect("every episode stops, so this is regular").mean()
        };
        DVector::from_iterator(m, (0..m).map(reached))
    }
}

/// How states are weighted in w*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// By the stationary distribution of an endless walk: the paper's w*.
    Stationary,
    /// By the probability that an episode visits the state: the actual limit of learning from first visits.
    FirstVisits,
}
