//! The library, driven: the only file of this test that knows its types.

use std::num::NonZeroU32;

use osculate::visits::VisitSet;
use osculate::{
    Arithmetic, Batch, Episode, Learner, LearnerConfig, Outcome, Rule, Schedule, StreamingLearner, Verdict,
};
use osculate_host_tests::reference::Gain;
use osculate_host_tests::reference::rounded::{self, Fate, Report, Settings};

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
    let (config, gamma) = (config(plan.settings), plan.gamma);
    match plan.source {
        Source::Rows => Box::new(Rows::<N> { learner: Learner::new(config).unwrap(), batch: Batch::new() }),
        Source::Returns | Source::OneStep => {
            let one_step = plan.source == Source::OneStep;
            let learner = Learner::new(config).unwrap();
            Box::new(Logged::<N> { learner, episode: Episode::new(), gamma, one_step })
        }
        Source::Streaming => {
            let learner = StreamingLearner::new(config, gamma).unwrap();
            Box::new(Streamed::<N> { learner, visits: VisitSet::new() })
        }
    }
}

fn config(settings: Settings) -> LearnerConfig<f32> {
    let parameters = settings.parameters;
    LearnerConfig {
        rule: match settings.rule {
            rounded::Rule::Paper => Rule::Paper,
            rounded::Rule::Plain => Rule::Plain,
            rounded::Rule::Predictable => Rule::Predictable,
        },
        schedule: match parameters.gain {
            Gain::Harmonic => Schedule::Harmonic,
            Gain::ThreeQuarters => Schedule::ThreeQuarters,
            Gain::Constant(gain) => Schedule::Constant(gain as f32),
        },
        beta: parameters.beta as f32,
        skip_below: parameters.skip_below as f32,
        theta_cap: settings.theta_cap.map(|cap| cap as f32),
        curvature_every: NonZeroU32::new(settings.curvature_every).unwrap(),
    }
}

fn report(outcome: &Outcome<f32>) -> Report {
    let fate = match outcome.verdict {
        Verdict::Stepped => Fate::Stepped,
        Verdict::Skipped => Fate::Skipped,
        Verdict::Empty => Fate::Empty,
        Verdict::Overflow => Fate::Refused,
        _ => panic!("a verdict that no reference knows: {outcome:?}"),
    };
    let Outcome { k, tau, dropped, g_norm, theta, .. } = *outcome;
    Report { k, tau, dropped, g_norm: g_norm.into(), theta: theta.into(), fate }
}

fn array<const N: usize>(phi: &[f32]) -> &[f32; N] {
    phi.try_into().unwrap()
}

fn learned<const N: usize>(learner: &Learner<f32, N>) -> Learned {
    Learned {
        weights: learner.weights().to_vec(),
        averaged: learner.averaged().to_vec(),
        velocity: learner.velocity().to_vec(),
        step_length: learner.step_length(),
        steps: learner.steps(),
    }
}

struct Rows<const N: usize> {
    learner: Learner<f32, N>,
    batch: Batch<f32, N, BATCH>,
}

impl<const N: usize> Way for Rows<N> {
    fn record(&mut self, _: u32, phi: &[f32], number: f32) {
        // The reference says whether it should have been taken.
        _ = self.batch.push(array(phi), number);
    }
    fn cut(&mut self, _: &[f32]) {
        unreachable!("rows are no episode");
    }
    fn end(&mut self) -> Report {
        let outcome = self.learner.update(&self.batch);
        self.batch.clear();
        report(&outcome)
    }
    fn restart(&mut self) {
        self.learner.restart();
    }
    fn value(&self, phi: &[f32]) -> f32 {
        f32::value(array(phi), self.learner.weights())
    }
    fn learned(&self) -> Learned {
        learned(&self.learner)
    }
}

struct Logged<const N: usize> {
    learner: Learner<f32, N>,
    episode: Episode<f32, u32, N, { LOG.0 }, { LOG.1 }>,
    gamma: f32,
    one_step: bool,
}

impl<const N: usize> Way for Logged<N> {
    fn record(&mut self, state: u32, phi: &[f32], number: f32) {
        self.episode.record(state, array(phi), number);
    }
    fn cut(&mut self, phi: &[f32]) {
        self.episode.cut(self.gamma, self.value(phi)).unwrap();
    }
    fn end(&mut self) -> Report {
        let rows = match self.one_step {
            true => self.episode.one_step(self.gamma, self.learner.weights()),
            false => self.episode.monte_carlo(self.gamma),
        };
        report(&self.learner.update(rows.unwrap()))
    }
    fn restart(&mut self) {
        self.learner.restart();
    }
    fn value(&self, phi: &[f32]) -> f32 {
        f32::value(array(phi), self.learner.weights())
    }
    fn learned(&self) -> Learned {
        learned(&self.learner)
    }
}

struct Streamed<const N: usize> {
    learner: StreamingLearner<f32, N>,
    visits: VisitSet<1>,
}

impl<const N: usize> Way for Streamed<N> {
    fn record(&mut self, state: u32, phi: &[f32], number: f32) {
        let first = !self.visits.contains(state).unwrap();
        if self.learner.step(array(phi), first, number).is_ok() {
            self.visits.visit(state);
        }
    }
    fn cut(&mut self, _: &[f32]) {
        unreachable!("rewards that were not received are not learned from");
    }
    fn end(&mut self) -> Report {
        self.visits.clear();
        report(&self.learner.end_episode())
    }
    fn restart(&mut self) {
        self.learner.restart();
    }
    fn value(&self, phi: &[f32]) -> f32 {
        f32::value(array(phi), self.learner.weights())
    }
    fn learned(&self) -> Learned {
        Learned {
            weights: self.learner.weights().to_vec(),
            averaged: self.learner.averaged().to_vec(),
            velocity: Vec::new(),
            step_length: self.learner.step_length(),
            steps: self.learner.steps(),
        }
    }
}
