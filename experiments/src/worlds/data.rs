//! What happens in a world with one seed, and the truth about it.

use std::sync::Arc;

use osculate_host_tests::worlds::Dice;

use crate::contender::{Contender, Step, product};
use crate::tuning::Lengths;

/// A value to be predicted.
pub(super) struct Check {
    pub(super) phi: Arc<[f32]>,
    pub(super) value: f64,
    /// What its squared error counts.
    pub(super) weight: f64,
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
pub(super) enum Measure {
    /// The root of the share of the squared values.
    Relative,
    /// The number of predictions.
    Mean,
}

/// What happens with one seed, and the truth.
pub(crate) struct Data {
    /// One more than is learned from where the last one leads to another.
    pub(super) steps: Vec<Step>,
    events: Vec<Event>,
    /// Every state, to be predicted at checkpoints; none if the world changes.
    pub(super) states: Vec<Check>,
    measure: Measure,
}

impl Data {
    pub(super) fn new(measure: Measure) -> Self {
        Self { steps: Vec::new(), events: Vec::new(), states: Vec::new(), measure }
    }

    pub(super) fn step(&mut self, step: Step, is_last: bool) {
        self.steps.push(step);
        self.events.push(Event::Learn { is_last });
    }

    pub(super) fn episode(&mut self, steps: Vec<Step>) {
        let count = steps.len();
        steps.into_iter().enumerate().for_each(|(t, step)| self.step(step, t + 1 == count));
    }

    pub(super) fn predict(&mut self, phi: Arc<[f32]>, value: f64, weight: f64) {
        self.events.push(Event::Predict(Check { phi, value, weight }));
    }

    pub(super) fn checkpoint(&mut self) {
        self.events.push(Event::Checkpoint);
    }

    /// The error of the values at the checkpoints; infinite if a rule has diverged.
    pub(crate) fn errors(&self, contender: &mut Contender) -> Vec<f64> {
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
    pub(super) fn equations(self, seed: u64, spread: f64) -> Self {
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
    pub(super) fn columns(mut self, n: usize) -> Self {
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
