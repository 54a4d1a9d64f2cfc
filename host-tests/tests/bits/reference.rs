//! Drives the reference in the same way.

use osculate_host_tests::reference::Row;
use osculate_host_tests::reference::rounded::{Episode, Iterate, Report, Rounded, Rule, Streaming, value};

use crate::way::{LOG, Learned, Plan, Source, Way};

/// The reference's learner for a plan.
pub(crate) fn reference(plan: Plan) -> Box<dyn Way> {
    let Plan { n, source, settings, gamma } = plan;
    match source {
        Source::Streaming => Box::new(Streaming::new(n, settings, gamma)),
        Source::Rows | Source::Returns | Source::OneStep => {
            let (learner, episode) = (Rounded::new(n, settings), Episode::new(LOG.0, LOG.1));
            Box::new(Stored { learner, plan, rows: Vec::new(), episode })
        }
    }
}

/// Converts a number of the reference to f32, which must be exact.
fn exactly(x: f64) -> f32 {
    assert_eq!(f64::from(x as f32), x, "the reference has a number that is no f32");
    x as f32
}

fn all_exactly(x: &[f64]) -> Vec<f32> {
    x.iter().map(|&x| exactly(x)).collect()
}

fn learned(iterate: &Iterate) -> Learned {
    Learned {
        weights: all_exactly(iterate.weights()),
        averaged: all_exactly(iterate.averaged()),
        velocity: all_exactly(iterate.velocity()),
        step_length: exactly(iterate.step_length()),
        steps: iterate.steps(),
    }
}

struct Stored {
    learner: Rounded,
    plan: Plan,
    rows: Vec<Row>,
    episode: Episode,
}

impl Way for Stored {
    fn record(&mut self, state: u32, phi: &[f32], number: f32) {
        match self.plan.source {
            Source::Rows => self.rows.push((phi.to_vec(), number)),
            _ => self.episode.record(state, phi, number),
        }
    }
    fn end(&mut self, cut: Option<&[f32]>) -> Report {
        let (gamma, weights) = (self.plan.gamma, self.learner.weights());
        let (rows, dropped) = match self.plan.source {
            Source::Rows => (std::mem::take(&mut self.rows), 0),
            Source::OneStep => {
                if let Some(phi) = cut {
                    self.episode.cut(gamma, value(phi, weights));
                }
                self.episode.one_step(gamma, weights)
            }
            // A reward that was not received is not part of any return.
            Source::Returns | Source::Streaming => self.episode.monte_carlo(gamma),
        };
        self.learner.update(&rows, dropped)
    }
    fn restart(&mut self) {
        self.learner.restart();
    }
    fn values(&self, phi: &[f32]) -> [f32; 2] {
        let iterate = self.learner.iterate();
        let estimate = match self.plan.settings.rule {
            Rule::Predictable => iterate.averaged(),
            Rule::Paper | Rule::Plain => iterate.weights(),
        };
        [iterate.weights(), estimate].map(|weights| exactly(value(phi, weights)))
    }
    fn learned(&self) -> Learned {
        learned(self.learner.iterate())
    }
}

impl Way for Streaming {
    fn record(&mut self, state: u32, phi: &[f32], number: f32) {
        self.record(state, phi, number);
    }
    fn end(&mut self, _: Option<&[f32]>) -> Report {
        self.end()
    }
    fn restart(&mut self) {
        self.restart();
    }
    fn values(&self, phi: &[f32]) -> [f32; 2] {
        [self.iterate().weights(), self.iterate().averaged()].map(|weights| exactly(value(phi, weights)))
    }
    fn learned(&self) -> Learned {
        learned(self.iterate())
    }
}
