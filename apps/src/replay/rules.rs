//! The list of rules that a user can name: what each takes from the user's parameters, and how it is built.

use osculate::{
    Arithmetic, Learner, Log, Predictor, RowError, Space, Stored, StoredConfig, Streaming, StreamingConfig, Targets,
    Tracking, TrackingConfig,
};

use super::config::{Config, Unusable};
use super::format::Report;
use serde::{Deserialize, Serialize};

/// A learning rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rule {
    /// Curvature of the current episode, as in the paper.
    Paper,
    /// Curvature of past episodes.
    Predictable,
    /// The same without a log of the episode.
    Streaming,
    /// No curvature: ϑ = 1.
    Plain,
    /// At every sample, with a gain that follows the world.
    Tracking,
}

impl Rule {
    /// All rules with their names.
    pub const NAMES: [(&str, Self); 5] = [
        ("paper", Self::Paper),
        ("predictable", Self::Predictable),
        ("streaming", Self::Streaming),
        ("plain", Self::Plain),
        ("tracking", Self::Tracking),
    ];

    /// The rule's name.
    pub fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|(_, rule)| *rule == self).map_or("", |(name, _)| name)
    }

    /// The rule with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, rule)| rule)
    }

    /// Whether to report the average of all iterates instead of the last one.
    pub fn reports_average(self) -> bool {
        matches!(self, Self::Predictable | Self::Streaming)
    }

    /// Whether it learns at the end of an episode, and only then.
    pub fn is_episodic(self) -> bool {
        self != Self::Tracking
    }

    /// The parameters of its learner, if that has a log of the episode.
    pub const fn stored(self) -> Option<StoredConfig> {
        match self {
            Self::Paper => Some(StoredConfig::PAPER),
            Self::Predictable => Some(StoredConfig::PREDICTABLE),
            Self::Plain => Some(StoredConfig::PLAIN),
            _ => None,
        }
    }
}

/// One sample, in a state that has a number.
pub type StepAt<L, const N: usize> = fn(&mut Predictor<L>, u32, Option<f32>, &[f32; N]) -> Result<f32, RowError>;

/// What is done with a learner, whatever its rule.
pub trait Run<A: Arithmetic, const N: usize> {
    /// What comes of it.
    type Output;

    /// Runs a learner that has room for so many steps and distinct states in an episode.
    fn run<L>(self, learner: L, step_at: StepAt<L, N>, room: [usize; 2]) -> Self::Output
    where
        L: Learner<Space = Space<A, N>, Report: Into<Report>>;
}

/// Room for episodes: steps and distinct states in a log, or 32 states in each of these words without one.
#[derive(Clone, Copy, Debug)]
pub struct Room<const STEPS: usize, const ROWS: usize, const WORDS: usize>;

impl<const STEPS: usize, const ROWS: usize, const WORDS: usize> Room<STEPS, ROWS, WORDS> {
    /// Builds the learner of a configuration and runs it. Only the first `features` are used, and the others are always 0.
    ///
    /// # Errors
    /// [`Unusable`] says what is invalid in the configuration.
    pub fn run<A: Arithmetic, R: Run<A, N>, const N: usize>(
        self,
        config: &Config,
        features: u16,
        run: R,
    ) -> Result<R::Output, Unusable> {
        match config.rule {
            Rule::Tracking => tracking(config, features, run),
            Rule::Streaming => streaming::<A, R, N, WORDS>(config, run),
            Rule::Paper | Rule::Predictable | Rule::Plain => stored::<A, R, N, STEPS, ROWS>(config, run),
        }
    }
}

impl Config {
    /// Checks the configuration before anything is read, built or run.
    ///
    /// # Errors
    /// [`Unusable`] says what is invalid.
    pub fn check(&self) -> Result<(), Unusable> {
        let of_tracking = [("--lambda", self.lambda.is_some()), ("--every", self.every.is_some())];
        match of_tracking.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) if self.rule != Rule::Tracking => return Err(Unusable::OnlyForTracking(option)),
            _ => {}
        }
        match self.rule {
            Rule::Tracking => _ = Tracking::<f32, 1>::try_new(self.tracking()?)?,
            Rule::Streaming => _ = Streaming::<f32, 1, 0>::try_by_state(self.streaming()?)?,
            _ => _ = Stored::try_new(self.stored()?, Log::<f32, 1, 1, 1>::NEW)?,
        }
        Ok(())
    }

    /// The parameters of a learner with a log.
    ///
    /// # Errors
    /// [`Unusable::Missing`] if the rule has none.
    pub fn stored(&self) -> Result<StoredConfig, Unusable> {
        let own = self.rule.stored().ok_or(Unusable::Missing("this rule has no log"))?;
        Ok(StoredConfig {
            gamma: self.gamma,
            targets: self.targets,
            schedule: self.eta.unwrap_or(own.schedule),
            beta: self.beta.unwrap_or(own.beta),
            skip_below: self.skip_below.unwrap_or(own.skip_below),
            ..own
        })
    }

    /// The parameters of a learner without a log.
    ///
    /// # Errors
    /// [`Unusable`] names the option that such a learner does not support.
    pub fn streaming(&self) -> Result<StreamingConfig, Unusable> {
        // These need the value of the next state, which a learner without a log does not keep.
        if self.targets == Targets::OneStep {
            return Err(Unusable::Missing("`streaming` has Monte Carlo targets only; td0 needs `predictable`"));
        }
        if self.skip_below.is_some_and(|length| length != 0.0) {
            let skips = "`streaming` never skips an update; a threshold for skipping needs `predictable`";
            return Err(Unusable::Missing(skips));
        }
        let own = StreamingConfig::DEFAULT;
        let (schedule, beta) = (self.eta.unwrap_or(own.schedule), self.beta.unwrap_or(own.beta));
        Ok(StreamingConfig { gamma: self.gamma, schedule, beta, ..own })
    }

    /// The parameters of a learner without episodes.
    ///
    /// # Errors
    /// [`Unusable`] names the option that such a learner does not support.
    pub fn tracking(&self) -> Result<TrackingConfig, Unusable> {
        if self.targets == Targets::OneStep {
            return Err(Unusable::TRACKING_TARGETS);
        }
        let of_others = [
            ("--eta", self.eta.is_some()),
            ("--beta", self.beta.is_some()),
            ("--epsilon-skip", self.skip_below.is_some()),
        ];
        if let Some((option, _)) = of_others.into_iter().find(|(_, is_given)| *is_given) {
            return Err(Unusable::NotForTracking(option));
        }
        let own = TrackingConfig::DEFAULT;
        let (lambda, every) = (self.lambda.unwrap_or(own.lambda), self.every.unwrap_or(own.every));
        Ok(TrackingConfig { gamma: self.gamma, lambda, every, ..own })
    }
}

// Each has a function of its own, so that the stack holds no other learner.

#[inline(never)]
fn tracking<A: Arithmetic, R: Run<A, N>, const N: usize>(
    config: &Config,
    features: u16,
    run: R,
) -> Result<R::Output, Unusable> {
    let learner = Tracking::<A, N>::try_new(config.tracking()?)?.padded(features);
    Ok(run.run(learner, |predictor, _, reward, features| predictor.step(reward, features), [0; 2]))
}

#[inline(never)]
fn streaming<A: Arithmetic, R: Run<A, N>, const N: usize, const WORDS: usize>(
    config: &Config,
    run: R,
) -> Result<R::Output, Unusable> {
    let learner = Streaming::<A, N, WORDS>::try_by_state(config.streaming()?)?;
    Ok(run.run(learner, Predictor::step_at, [0, (32 * WORDS).min(A::MOST_ROWS)]))
}

#[inline(never)]
fn stored<A: Arithmetic, R: Run<A, N>, const N: usize, const STEPS: usize, const ROWS: usize>(
    config: &Config,
    run: R,
) -> Result<R::Output, Unusable> {
    let mut log = Log::<A, N, STEPS, ROWS>::NEW;
    let learner = Stored::try_new(config.stored()?, &mut log)?;
    Ok(run.run(learner, Predictor::step_at, [STEPS, ROWS]))
}
