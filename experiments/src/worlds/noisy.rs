//! States with noisy targets, drawn independently.

use nalgebra::DVector;

use osculate_host_tests::reference::{Row, closed_form::scale_invariant};
use osculate_host_tests::worlds::Dice;
use osculate_host_tests::worlds::{LinearSystem, row};

/// States with features and mean targets; the target noise is uniform in ±`noise`.
#[derive(Clone, Debug)]
pub struct NoisyStates {
    states: Vec<Row>,
    noise: f32,
}

impl NoisyStates {
    /// m states of n features; one weight vector fits all mean targets.
    pub fn consistent(seed: u64, m: usize, n: usize, noise: f32) -> Self {
        Self { states: LinearSystem::consistent(seed, m, n).rows, noise }
    }

    /// m states of n features; mean targets are uniform in [−1, 1), and no weight vector fits them all.
    pub fn contradictory(seed: u64, m: usize, n: usize, noise: f32) -> Self {
        let mut dice = Dice::new(seed);
        let states = (0..m).map(|_| (row(&mut dice, n), dice.uniform())).collect();
        Self { states, noise }
    }

    /// τ distinct states, each with a noisy target.
    pub fn draw(&self, dice: &mut Dice, tau: usize) -> Vec<Row> {
        let mut order: Vec<usize> = (0..self.states.len()).collect();
        (0..tau)
            .map(|i| {
                let chosen = i + dice.below((order.len() - i) as u32) as usize;
                order.swap(i, chosen);
                let (phi, v) = &self.states[order[i]];
                (phi.clone(), v + dice.uniform() * self.noise)
            })
            .collect()
    }

    /// w* for the mean targets, all states weighted equally.
    pub fn solution(&self) -> DVector<f64> {
        scale_invariant(&self.states)
    }
}
