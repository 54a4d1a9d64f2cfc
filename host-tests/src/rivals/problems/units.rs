//! The same problem in other units.

use std::sync::Arc;

use super::{Data, Episode, Step};
use crate::worlds::Dice;

/// First visits as rows with their returns for targets, each times 10^x with x uniform in ± `spread`.
pub(super) fn equations(data: Data, seed: u64, spread: f64) -> Data {
    let mut dice = Dice::new(seed + 20_000);
    let episodes = data.episodes.into_iter().map(|Episode { steps, checks }| {
        let rows = steps.into_iter().filter(|step| step.first).zip(0..).map(|(step, state)| {
            let factor = libm::exp10(spread * f64::from(dice.uniform())) as f32;
            let target = factor * step.target;
            let phi = step.phi.iter().map(|x| factor * x).collect();
            Step { state, phi, reward: target, target, first: true }
        });
        Episode { steps: rows.collect(), checks }
    });
    Data { episodes: episodes.collect(), states: data.states }
}

/// Column j of n times 10^x, x from −3 to 3.
pub(super) fn columns(data: Data, n: usize) -> Data {
    let factors: Vec<f32> = (0..n).map(|j| libm::exp10(6.0 * j as f64 / (n - 1) as f64 - 3.0) as f32).collect();
    let scaled = |phi: &[f32]| -> Arc<[f32]> { phi.iter().zip(&factors).map(|(x, factor)| x * factor).collect() };
    let episodes = data.episodes.into_iter().map(|Episode { steps, checks }| Episode {
        steps: steps.into_iter().map(|step| Step { phi: scaled(&step.phi), ..step }).collect(),
        checks: checks.into_iter().map(|(phi, value)| (scaled(&phi), value)).collect(),
    });
    let episodes = episodes.collect();
    Data { episodes, states: data.states.into_iter().map(|(phi, value, d)| (scaled(&phi), value, d)).collect() }
}
