//! How a replay learns.

use osculate::{ConfigError, LearnerConfig, Schedule};
use serde::{Deserialize, Serialize};

use super::number::{Arith, Replayed};
use super::stored::{Log, Stored};
use super::streaming::Streaming;

/// Which learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rule {
    /// Curvature of the episode itself.
    Paper,
    /// Curvature of past episodes.
    Predictable,
    /// The same without a log of the episode.
    Streaming,
    /// No curvature: ϑ = 1.
    Plain,
}

impl Rule {
    /// Whether the weights to report are the average of all iterates, not the last one.
    pub fn reports_average(self) -> bool {
        matches!(self, Self::Predictable | Self::Streaming)
    }
}

/// What the value of a state is taken to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Targets {
    /// The discounted sum of the rewards that followed its first visit.
    MonteCarlo,
    /// The next reward and the discounted value of the next state, as the weights have it.
    OneStep,
}

/// The gain η of the k-th update.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Eta {
    /// 1/k.
    Harmonic,
    /// k^−¾.
    ThreeQuarters,
    /// Always this.
    Constant(f64),
}

/// How to learn. `None` is what the rule's own [`LearnerConfig`] says.
///
/// Numbers are `f64` for every arithmetic; one that learns in `f32` rounds them, so they should have been rounded before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Which learner.
    pub rule: Rule,
    /// What it learns.
    pub targets: Targets,
    /// γ, in [0, 1].
    pub gamma: f64,
    /// η.
    pub eta: Option<Eta>,
    /// β, in [0, 1).
    pub beta: Option<f64>,
    /// No update where ‖c‖ is below this; 0 switches the test off.
    pub skip_below: Option<f64>,
}

impl Config {
    /// A rule with its own defaults, Monte Carlo targets and no discount.
    pub const fn new(rule: Rule) -> Self {
        Self { rule, targets: Targets::MonteCarlo, gamma: 1.0, eta: None, beta: None, skip_below: None }
    }

    /// For the learner, in its numbers.
    ///
    /// # Errors
    /// [`Unusable`] names what does not go together. (The learner checks the ranges of its own parameters.)
    pub fn learner<A: Replayed>(&self) -> Result<LearnerConfig<A::Scalar>, Unusable> {
        if !(self.gamma >= 0.0 && self.gamma <= 1.0) {
            return Err(Unusable::Range(ConfigError::Gamma));
        }
        if self.rule == Rule::Streaming {
            if self.targets == Targets::OneStep {
                return Err(Unusable::StreamingOneStep);
            }
            if self.skip_below.is_some_and(|threshold| threshold != 0.0) {
                return Err(Unusable::StreamingSkip);
            }
        }
        let mut config = match self.rule {
            Rule::Paper => LearnerConfig::default(),
            Rule::Predictable | Rule::Streaming => LearnerConfig::predictable(),
            Rule::Plain => LearnerConfig::plain(),
        };
        if let Some(eta) = self.eta {
            config.schedule = match eta {
                Eta::Harmonic => Schedule::Harmonic,
                Eta::ThreeQuarters => Schedule::ThreeQuarters,
                Eta::Constant(gain) => Schedule::Constant(A::scalar(gain)),
            };
        }
        config.beta = self.beta.map_or(config.beta, A::scalar);
        config.skip_below = self.skip_below.map_or(config.skip_below, A::scalar);
        Ok(config)
    }

    /// Whether it can be learned with, before anything is read, built or run.
    ///
    /// # Errors
    /// Says what does not go together.
    pub fn check(&self, arith: Arith) -> Result<(), Unusable> {
        // Only the numbers that parameters are rounded to make a difference.
        if arith == Arith::F64 { self.check_in::<f64>() } else { self.check_in::<f32>() }
    }

    fn check_in<A: Replayed>(&self) -> Result<(), Unusable> {
        match self.rule {
            Rule::Streaming => Streaming::<A, 1, 1>::new(self).map(drop),
            _ => Stored::<A, 1, 1, 1>::new(self, &mut Log::new()).map(drop),
        }
    }
}

/// Why a [`Config`] cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// A parameter is out of range.
    Range(ConfigError),
    /// One-step targets ask for the value of the next state, which a learner without a log has passed by.
    StreamingOneStep,
    /// The streaming learner has no absolute test.
    StreamingSkip,
}

impl From<ConfigError> for Unusable {
    fn from(error: ConfigError) -> Self {
        Self::Range(error)
    }
}

impl core::fmt::Display for Unusable {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Range(error) => error.fmt(f),
            Self::StreamingOneStep => f.write_str("`streaming` has Monte Carlo targets only; td0 needs `predictable`"),
            Self::StreamingSkip => {
                f.write_str("`streaming` never skips an update; a threshold for skipping needs `predictable`")
            }
        }
    }
}

impl core::error::Error for Unusable {}
