//! Where values are learned, and the truth about them.

mod drifting;
mod markov;
pub(crate) mod physics;
mod problem;

use std::slice;
use std::sync::Arc;

use osculate_host_tests::worlds::Chain;
use osculate_host_tests::worlds::Dice;

pub(crate) use drifting::{CASES, Case, ROWS, Rows};
pub(crate) use problem::Problem;

use crate::contender::{Contender, Step, product};
use crate::tuning::Lengths;

/// A value to be predicted.
struct Check {
    phi: Arc<[f32]>,
    value: f64,
    /// What its squared error counts.
    weight: f64,
}

enum Event {
    /// The next step is learned; it is the last of its episode, or not.
    Learn {
        is_last: bool,
    },
    Predict(Check),
    /// The error so far is a result, and the next one begins.
    Checkpoint,
}

/// What errors are divided by.
#[derive(Clone, Copy, PartialEq)]
enum Measure {
    /// The root of the share of the squared values.
    Relative,
    /// The number of predictions.
    Mean,
}

/// What happens with one seed, and the truth.
pub(crate) struct Data {
    /// The last one of a walk without end is where it leads to, and not learned from.
    steps: Vec<Step>,
    events: Vec<Event>,
    /// Every state, to be predicted at checkpoints; none if the world changes.
    states: Vec<Check>,
    measure: Measure,
}

impl Data {
    fn new(measure: Measure) -> Self {
        Self { steps: Vec::new(), events: Vec::new(), states: Vec::new(), measure }
    }

    fn step(&mut self, step: Step, is_last: bool) {
        self.steps.push(step);
        self.events.push(Event::Learn { is_last });
    }

    fn episode(&mut self, steps: Vec<Step>) {
        let count = steps.len();
        steps.into_iter().enumerate().for_each(|(t, step)| self.step(step, t + 1 == count));
    }

    fn predict(&mut self, phi: Arc<[f32]>, value: f64, weight: f64) {
        self.events.push(Event::Predict(Check { phi, value, weight }));
    }

    fn checkpoint(&mut self) {
        self.events.push(Event::Checkpoint);
    }

    /// The error of the values at the checkpoints; infinite if a rule has diverged.
    pub(crate) fn errors(&self, contender: &mut Contender) -> Vec<f64> {
        let (mut squares, mut size, mut steps, mut errors) = (0.0, 0.0, 0..self.steps.len(), Vec::new());
        for event in &self.events {
            let checks = match event {
                Event::Learn { is_last } => {
                    let Some(at) = steps.next() else { break };
                    contender.learn(&self.steps[at], self.steps.get(at + 1).filter(|_| !is_last));
                    continue;
                }
                Event::Predict(check) => slice::from_ref(check),
                Event::Checkpoint => &self.states,
            };
            for Check { phi, value, weight } in checks {
                squares += weight * (product(phi, &contender.learned.w) - value).powi(2);
                size += if self.measure == Measure::Relative { weight * value * value } else { 1.0 };
            }
            if matches!(event, Event::Checkpoint) {
                let error = squares / size;
                let error = if self.measure == Measure::Relative { error.sqrt() } else { error };
                errors.push(if error.is_finite() { error } else { f64::INFINITY });
                (squares, size) = (0.0, 0.0);
            }
        }
        errors
    }

    /// How long the episodes are.
    pub(crate) fn lengths(&self) -> Lengths {
        let ends = self.events.iter().filter_map(|event| match event {
            Event::Learn { is_last } => Some(*is_last),
            _ => None,
        });
        let ends: Vec<bool> = ends.collect();
        let episodes: Vec<usize> = ends.split_inclusive(|is_last| *is_last).map(<[bool]>::len).collect();
        let per_episode = |steps: usize| steps as f64 / episodes.len() as f64;
        let firsts = self.steps.iter().filter(|step| step.first).count();
        let longest = episodes.iter().copied().max().unwrap_or(0);
        Lengths { steps: per_episode(self.steps.len()), rows: per_episode(firsts), longest }
    }

    /// The least error that any w has, or `None` where the truth changes.
    pub(crate) fn floor(&self) -> Option<f64> {
        let n = self.states.first()?.phi.len();
        let root = |i: usize| self.states[i].weight.sqrt();
        let phi = nalgebra::DMatrix::from_fn(self.states.len(), n, |i, j| f64::from(self.states[i].phi[j]) * root(i));
        let v = nalgebra::DVector::from_fn(self.states.len(), |i, _| self.states[i].value * root(i));
        let w = phi.svd(true, true).solve(&v, 1e-12).ok()?;
        let square = |check: &Check| check.weight * (product(&check.phi, w.as_slice()) - check.value).powi(2);
        Some(self.states.iter().map(square).sum::<f64>().sqrt() / v.norm())
    }

    /// First visits as rows with their returns for targets, each times 10^x with x uniform in ± `spread`.
    fn equations(self, seed: u64, spread: f64) -> Self {
        let mut dice = Dice::new(seed + 20_000);
        let mut scaled = Self { states: self.states, ..Self::new(self.measure) };
        let (mut steps, mut rows) = (self.steps.into_iter(), Vec::new());
        for event in self.events {
            let Event::Learn { is_last } = event else {
                scaled.events.push(event);
                continue;
            };
            if let Some(step) = steps.next().filter(|step| step.first) {
                let factor = libm::exp10(spread * f64::from(dice.uniform())) as f32;
                let phi: Vec<f32> = step.phi.iter().map(|x| factor * x).collect();
                rows.push(Step::row(phi, factor * step.target));
            }
            if is_last {
                scaled.episode(std::mem::take(&mut rows));
            }
        }
        scaled
    }

    /// Column j of n times 10^x, x from −3 to 3.
    fn columns(mut self, n: usize) -> Self {
        let factors: Vec<f32> = (0..n).map(|j| libm::exp10(6.0 * j as f64 / (n - 1) as f64 - 3.0) as f32).collect();
        let scale = |phi: &mut Arc<[f32]>| *phi = phi.iter().zip(&factors).map(|(x, factor)| x * factor).collect();
        self.steps.iter_mut().for_each(|step| scale(&mut step.phi));
        let predicted = self.events.iter_mut().filter_map(|event| match event {
            Event::Predict(check) => Some(check),
            _ => None,
        });
        predicted.chain(&mut self.states).for_each(|check: &mut Check| scale(&mut check.phi));
        self
    }
}

/// An episode of a chain.
pub(crate) fn visits(world: &Chain, dice: &mut Dice) -> Vec<Step> {
    let visits = world.episode(dice).into_iter();
    let step = |(state, reward)| Step { state: state as u32, ..Step::row(world.features(state), reward) };
    with_returns(visits.map(step).collect(), Chain::GAMMA.into())
}

/// Fills in what follows from the states and rewards of an episode.
fn with_returns(mut steps: Vec<Step>, gamma: f64) -> Vec<Step> {
    let mut following = 0.0;
    for t in (0..steps.len()).rev() {
        following = f64::from(steps[t].reward) + gamma * following;
        steps[t].target = following as f32;
        steps[t].first = steps[..t].iter().all(|step| step.state != steps[t].state);
    }
    steps
}

/// From the standard normal distribution, by the polar method. The logarithm is not the system's, so that every machine
/// draws the same numbers.
fn gaussian(dice: &mut Dice) -> f64 {
    loop {
        let (x, y) = (f64::from(dice.uniform()), f64::from(dice.uniform()));
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * libm::log(square) / square).sqrt();
        }
    }
}

/// n of them, independent of each other.
fn normal(dice: &mut Dice, n: usize) -> Vec<f64> {
    (0..n).map(|_| gaussian(dice)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_the_standard_normal_distribution() {
        let mut dice = Dice::new(1);
        let numbers = normal(&mut dice, 100_000);
        let moment = |power| numbers.iter().map(|x| x.powi(power)).sum::<f64>() / numbers.len() as f64;
        let expected = [(1, 0.0, 0.01), (2, 1.0, 0.015), (3, 0.0, 0.04), (4, 3.0, 0.1)];
        for (power, expected, within) in expected {
            assert!((moment(power) - expected).abs() < within, "{power}: {}", moment(power));
        }
    }
}
