//! Where values are learned, and the truth about them.

mod cart_pole;
mod drifting;
pub mod equations;
mod gaussian;
mod markov;
mod mountain_car;
mod noisy;
mod problem;
mod ring;
mod units;

use std::sync::Arc;

use osculate_host_tests::worlds::Chain;
use osculate_host_tests::worlds::Dice;

pub use cart_pole::CartPole;
pub use drifting::{CASES, Case, ROWS, Rows};
pub use mountain_car::MountainCar;
pub use noisy::NoisyStates;
pub use problem::Problem;
pub use ring::GAMMA;

use crate::contender::{Contender, Step, product};
use crate::tuning::Lengths;

/// A value to be predicted.
#[derive(Clone, Debug)]
struct Check {
    phi: Arc<[f32]>,
    value: f64,
    /// What its squared error counts.
    weight: f64,
}

#[derive(Clone, Debug)]
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
#[derive(Clone, Copy, Debug, PartialEq)]
enum Measure {
    /// The root of the share of the squared values.
    Relative,
    /// The number of predictions.
    Mean,
}

/// What happens with one seed, and the truth.
#[derive(Clone, Debug)]
pub struct Data {
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
    pub fn errors(&self, contender: &mut Contender) -> Vec<f64> {
        let (mut squares, mut size, mut steps, mut errors) = (0.0, 0.0, 0..self.steps.len(), Vec::new());
        let predict = |contender: &Contender, check: &Check, squares: &mut f64| {
            *squares += check.weight * (product(&check.phi, &contender.learned.w) - check.value).powi(2);
            match self.measure {
                Measure::Relative => check.weight * check.value * check.value,
                Measure::Mean => 1.0,
            }
        };
        for event in &self.events {
            match event {
                Event::Learn { is_last } => {
                    let Some(at) = steps.next() else { break };
                    contender.learn(&self.steps[at], self.steps.get(at + 1).filter(|_| !is_last));
                }
                Event::Predict(check) => size += predict(contender, check, &mut squares),
                Event::Checkpoint => {
                    for check in &self.states {
                        size += predict(contender, check, &mut squares);
                    }
                    let error = squares / size;
                    let error = if self.measure == Measure::Relative { error.sqrt() } else { error };
                    errors.push(if error.is_finite() { error } else { f64::INFINITY });
                    (squares, size) = (0.0, 0.0);
                }
            }
        }
        errors
    }

    /// How long the episodes are.
    pub fn lengths(&self) -> Lengths {
        let (mut episodes, mut longest, mut length) = (0_u32, 0, 0);
        for event in &self.events {
            if let Event::Learn { is_last } = event {
                length += 1;
                longest = longest.max(length);
                if *is_last {
                    (episodes, length) = (episodes + 1, 0);
                }
            }
        }
        let per_episode = |steps: usize| steps as f64 / f64::from(episodes);
        let firsts = self.steps.iter().filter(|step| step.first).count();
        Lengths { steps: per_episode(self.steps.len()), rows: per_episode(firsts), longest }
    }

    /// The least error that any w has, or `None` where the truth changes.
    pub fn floor(&self) -> Option<f64> {
        let n = self.states.first()?.phi.len();
        let root = |i: usize| self.states[i].weight.sqrt();
        let phi = nalgebra::DMatrix::from_fn(self.states.len(), n, |i, j| f64::from(self.states[i].phi[j]) * root(i));
        let v = nalgebra::DVector::from_fn(self.states.len(), |i, _| self.states[i].value * root(i));
        let w = phi.svd(true, true).solve(&v, 1e-12).ok()?;
        let square = |check: &Check| check.weight * (product(&check.phi, w.as_slice()) - check.value).powi(2);
        Some(self.states.iter().map(square).sum::<f64>().sqrt() / v.norm())
    }
}

/// An episode of a chain.
pub fn visits(world: &Chain, dice: &mut Dice) -> Vec<Step> {
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
