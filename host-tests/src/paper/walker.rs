//! Learners of the crate on the episodes of a Markov chain, all in f64 so that nothing but the rule differs.

use nalgebra::DVector;
use osculate::{
    Log, Predictor, Schedule, Stored, StoredConfig, Streaming, StreamingConfig, Tracking, TrackingConfig, words,
};

use super::noisy::{FEATURES, STATES};
use crate::reference::Row;
use crate::reference::closed_form::relative_error;
use crate::worlds::Chain;

/// The rules that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The paper's.
    Paper,
    /// ϑ from the same batch as in the paper, everything else as in `predictable`: what remains between the two is bias.
    SameBatch,
    Predictable,
    Streaming,
    Tracking,
}

impl Rule {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::SameBatch => "same batch, averaged",
            Self::Predictable => "predictable",
            Self::Streaming => "streaming",
            Self::Tracking => "tracking",
        }
    }

    /// A learner by this rule, for rows with known targets, or for the episodes of a chain.
    pub(super) fn learner(self, gamma: f32) -> Learner {
        let stored = |config: StoredConfig| {
            let stored = Stored::new(StoredConfig { gamma, ..config }, Log::new());
            Box::new(Predictor::new(stored.expect("a valid configuration")))
        };
        match self {
            Self::Paper => Learner::Rows(stored(StoredConfig::PAPER)),
            Self::SameBatch => {
                let config = StoredConfig { schedule: Schedule::ThreeQuarters, ..StoredConfig::PAPER };
                Learner::Averaged(stored(config), [0.0; FEATURES], 0)
            }
            Self::Predictable => Learner::Rows(stored(StoredConfig::PREDICTABLE)),
            Self::Streaming => {
                let config = StreamingConfig { gamma, ..StreamingConfig::DEFAULT };
                Learner::Streaming(Predictor::new(Streaming::by_state(config).expect("a valid configuration")))
            }
            Self::Tracking => {
                let config = TrackingConfig { gamma, ..TrackingConfig::DEFAULT };
                Learner::Tracking(Predictor::new(Tracking::new(config).expect("a valid configuration")))
            }
        }
    }
}

type FromRows = Box<Predictor<Stored<Log<f64, FEATURES, 1, STATES>>>>;

/// A learner, with what it needs.
pub(super) enum Learner {
    Rows(FromRows),
    /// With the average w̄ += min(1, 4/(k + 3)) (w − w̄) that the crate keeps for `predictable` only.
    Averaged(FromRows, [f64; FEATURES], u32),
    Streaming(Predictor<Streaming<f64, FEATURES, { words(STATES) }>>),
    Tracking(Predictor<Tracking<f64, FEATURES>>),
}

impl Learner {
    /// Learns from the rows of an episode.
    pub(super) fn learn(&mut self, rows: &[Row]) {
        for (phi, v) in rows {
            let phi = phi.as_slice().try_into().expect("the world has this many features");
            let learned = match self {
                Self::Rows(predictor) | Self::Averaged(predictor, ..) => predictor.learn(*v, phi),
                Self::Streaming(predictor) => predictor.learn(*v, phi),
                Self::Tracking(predictor) => predictor.learn(*v, phi),
            };
            learned.expect("every row of these worlds is usable");
        }
        match self {
            Self::Rows(predictor) | Self::Averaged(predictor, ..) => predictor.end(),
            Self::Streaming(predictor) => predictor.end(),
            Self::Tracking(predictor) => predictor.end(),
        };
        if let Self::Averaged(predictor, average, k) = self {
            *k += 1;
            let share = (4.0 / (f64::from(*k) + 3.0)).min(1.0);
            for (mean, w) in average.iter_mut().zip(predictor.weights()) {
                *mean += share * (w - *mean);
            }
        }
    }

    /// One episode: the states, each with the reward on leaving it.
    pub(super) fn walk(&mut self, world: &Chain, visits: &[(usize, f32)]) {
        match self {
            Self::Rows(_) | Self::Averaged(..) => self.learn(&world.rows(visits)),
            Self::Streaming(predictor) => {
                for (t, (state, _)) in visits.iter().enumerate() {
                    let reward = t.checked_sub(1).map(|before| visits[before].1);
                    // Only an unusable row is an error, and there is none.
                    _ = predictor.step_at(*state as u32, reward, features(world, *state));
                }
                predictor.last(visits.last().map(|(_, reward)| *reward));
                predictor.end();
            }
            Self::Tracking(predictor) => {
                for (t, (state, _)) in visits.iter().enumerate() {
                    let reward = t.checked_sub(1).map(|before| visits[before].1);
                    _ = predictor.step(reward, features(world, *state));
                }
                predictor.last(visits.last().map(|(_, reward)| *reward));
                predictor.end();
            }
        }
    }

    /// The relative error of what it reports.
    pub(super) fn error(&self, solution: &DVector<f64>) -> f64 {
        let estimate = match self {
            Self::Rows(predictor) => predictor.estimate(),
            Self::Averaged(_, average, _) => average,
            Self::Streaming(predictor) => predictor.estimate(),
            Self::Tracking(predictor) => predictor.estimate(),
        };
        relative_error(estimate, solution)
    }
}

fn features(world: &Chain, state: usize) -> &[f32; FEATURES] {
    world.features(state).try_into().expect("the world has this many features")
}
