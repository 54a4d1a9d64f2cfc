//! The reference, driven in the same way.

use osculate_host_tests::reference::Row;
use osculate_host_tests::reference::rounded::{Episode, Report, Rounded, Streaming, value};

use crate::way::{LOG, Learned, Plan, Source, Way};

/// The reference's learner for a plan.
pub(crate) fn reference(plan: Plan) -> Box<dyn Way> {
    let Plan { n, source, settings, gamma } = plan;
    match source {
        Source::Rows => Box::new(Rows { learner: Rounded::new(n, settings), rows: Vec::new() }),
        Source::Returns | Source::OneStep => {
            let (learner, episode) = (Rounded::new(n, settings), Episode::new(LOG.0, LOG.1));
            Box::new(Logged { learner, episode, gamma, one_step: source == Source::OneStep })
        }
        Source::Streaming => Box::new(Streaming::new(n, settings, gamma)),
    }
}

/// The f32 that a number of the reference is: it must be one.
fn exactly(x: f64) -> f32 {
    assert_eq!(f64::from(x as f32), x, "the reference has a number that is no f32");
    x as f32
}

fn all_exactly(x: &[f64]) -> Vec<f32> {
    x.iter().map(|&x| exactly(x)).collect()
}

fn learned(learner: &Rounded) -> Learned {
    Learned {
        weights: all_exactly(learner.weights()),
        averaged: all_exactly(learner.averaged()),
        velocity: all_exactly(learner.velocity()),
        step_length: exactly(learner.step_length()),
        steps: learner.steps(),
    }
}

struct Rows {
    learner: Rounded,
    rows: Vec<Row>,
}

impl Way for Rows {
    fn record(&mut self, _: u32, phi: &[f32], number: f32) {
        self.rows.push((phi.to_vec(), number));
    }
    fn cut(&mut self, _: &[f32]) {
        unreachable!("rows are no episode");
    }
    fn end(&mut self) -> Report {
        let rows = std::mem::take(&mut self.rows);
        self.learner.update(&rows, 0)
    }
    fn restart(&mut self) {
        self.learner.restart();
    }
    fn value(&self, phi: &[f32]) -> f32 {
        exactly(value(phi, self.learner.weights()))
    }
    fn learned(&self) -> Learned {
        learned(&self.learner)
    }
}

struct Logged {
    learner: Rounded,
    episode: Episode,
    gamma: f32,
    one_step: bool,
}

impl Way for Logged {
    fn record(&mut self, state: u32, phi: &[f32], number: f32) {
        self.episode.record(state, phi, number);
    }
    fn cut(&mut self, phi: &[f32]) {
        self.episode.cut(self.gamma, value(phi, self.learner.weights()));
    }
    fn end(&mut self) -> Report {
        let (rows, dropped) = match self.one_step {
            true => self.episode.one_step(self.gamma, self.learner.weights()),
            false => self.episode.monte_carlo(self.gamma),
        };
        self.learner.update(&rows, dropped)
    }
    fn restart(&mut self) {
        self.learner.restart();
    }
    fn value(&self, phi: &[f32]) -> f32 {
        exactly(value(phi, self.learner.weights()))
    }
    fn learned(&self) -> Learned {
        learned(&self.learner)
    }
}

impl Way for Streaming {
    fn record(&mut self, state: u32, phi: &[f32], number: f32) {
        self.record(state, phi, number);
    }
    fn cut(&mut self, _: &[f32]) {
        unreachable!("rewards that were not received are not learned from");
    }
    fn end(&mut self) -> Report {
        self.end()
    }
    fn restart(&mut self) {
        self.restart();
    }
    fn value(&self, phi: &[f32]) -> f32 {
        exactly(value(phi, self.weights()))
    }
    fn learned(&self) -> Learned {
        Learned {
            weights: all_exactly(self.weights()),
            averaged: all_exactly(self.averaged()),
            velocity: Vec::new(),
            step_length: exactly(self.step_length()),
            steps: self.steps(),
        }
    }
}
