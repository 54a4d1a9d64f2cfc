//! Drives the library. This is the only file of this test that knows its types.

use std::num::NonZeroU32;

use osculate::arithmetic::backend::Backend;
use osculate::{Episodic, Space};
use osculate::{
    Log, Predictor, Schedule, Stored, StoredConfig, Streaming, StreamingConfig, Targets, Theta, Update, Verdict,
};
use osculate_host_tests::reference::Gain;
use osculate_host_tests::reference::rounded::{Fate, Report, Rule};

use crate::way::{BATCH, LOG, Learned, Plan, Source, Way};

macro_rules! by_size {
    ($plan:ident: $($n:literal)*) => {
        match $plan.n {
            $($n => sized::<$n>($plan),)*
            n => panic!("no learner of {n} features is compiled"),
        }
    };
}

/// The library's learner for a plan.
pub(crate) fn library(plan: Plan) -> Box<dyn Way> {
    by_size!(plan: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)
}

fn sized<const N: usize>(plan: Plan) -> Box<dyn Way> {
    match plan.source {
        Source::Rows => driven(plan, Stored::new(stored(plan), Log::<f32, N, 1, BATCH>::NEW)),
        Source::Returns | Source::OneStep => {
            driven(plan, Stored::new(stored(plan), Log::<f32, N, { LOG.0 }, { LOG.1 }>::NEW))
        }
        Source::Streaming => driven(plan, Streaming::<f32, N, 1>::by_state(streaming(plan))),
    }
}

fn schedule(plan: Plan) -> Schedule {
    match plan.settings.parameters.gain {
        Gain::Harmonic => Schedule::Harmonic,
        Gain::ThreeQuarters => Schedule::ThreeQuarters,
        Gain::Constant(gain) => Schedule::Constant(gain as f32),
    }
}

fn stored(plan: Plan) -> StoredConfig {
    let (settings, parameters) = (plan.settings, plan.settings.parameters);
    StoredConfig {
        gamma: plan.gamma,
        targets: if plan.source == Source::OneStep { Targets::OneStep } else { Targets::MonteCarlo },
        theta: match settings.rule {
            Rule::Paper => Theta::SameBatch,
            Rule::Plain => Theta::One,
            Rule::Predictable => Theta::PastBatches { every: NonZeroU32::new(settings.curvature_every).unwrap() },
        },
        schedule: schedule(plan),
        beta: parameters.beta as f32,
        skip_below: parameters.skip_below as f32,
        theta_cap: settings.theta_cap.map(|cap| cap as f32),
    }
}

fn streaming(plan: Plan) -> StreamingConfig {
    let StoredConfig { gamma, schedule, beta, theta_cap, .. } = stored(plan);
    StreamingConfig { gamma, schedule, beta, theta_cap }
}

fn report(outcome: &Update) -> Report {
    let fate = match outcome.verdict {
        Verdict::Stepped => Fate::Stepped,
        Verdict::Skipped => Fate::Skipped,
        Verdict::Empty => Fate::Empty,
        Verdict::Overflow => Fate::Refused,
        _ => panic!("a verdict that no reference knows: {outcome:?}"),
    };
    let Update { k, tau, dropped, g_norm, theta, .. } = *outcome;
    Report { k, tau, dropped, g_norm: g_norm.into(), theta: theta.into(), fate }
}

fn array<const N: usize>(phi: &[f32]) -> &[f32; N] {
    phi.try_into().unwrap()
}

fn driven<L, const N: usize>(plan: Plan, learner: L) -> Box<dyn Way>
where
    L: Episodic<Space = Space<f32, N>> + 'static,
{
    Box::new(Driven { predictor: Predictor::new(learner), has_targets: plan.source == Source::Rows, reward: None })
}

/// A predictor, and the reward to pass with the next step.
struct Driven<L> {
    predictor: Predictor<L>,
    has_targets: bool,
    reward: Option<f32>,
}

impl<L: Episodic<Space = Space<f32, N>>, const N: usize> Way for Driven<L> {
    fn record(&mut self, state: u32, phi: &[f32], number: f32) {
        // The reference determines whether it should have been accepted.
        if self.has_targets {
            _ = self.predictor.learn(number, array(phi));
        } else {
            _ = self.predictor.step_at(state, self.reward.replace(number), array(phi));
        }
    }
    fn end(&mut self, cut: Option<&[f32]>) -> Report {
        self.predictor.finish_with(self.reward.take());
        report(&match cut {
            Some(phi) => self.predictor.truncate(array(phi)),
            None => self.predictor.end(),
        })
    }
    fn restart(&mut self) {
        self.predictor.restart();
    }
    fn values(&self, phi: &[f32]) -> [f32; 2] {
        let value = f32::value_of(array(phi), self.predictor.weights());
        [value.unwrap(), self.predictor.value(array(phi)).unwrap()]
    }
    fn learned(&self) -> Learned {
        Learned {
            weights: self.predictor.weights().to_vec(),
            averaged: self.predictor.learner().state().averaged.to_vec(),
            velocity: self.predictor.learner().state().velocity.to_vec(),
            step_length: self.predictor.step_length(),
            steps: self.predictor.updates(),
        }
    }
}
