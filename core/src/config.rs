//! How a learner moves, checked once.

use core::num::NonZeroU32;

use crate::arithmetic::Scalar;
use crate::schedule::Schedule;

/// Where the step size comes from.
///
/// ```
/// use osculate::{LearnerConfig, Rule};
/// assert_eq!(LearnerConfig::<f32>::default().rule, Rule::Paper);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Rule {
    /// ϑ from the batch at hand, along the mean g: the paper's.
    Paper,
    /// ϑ from past batches, along the sum of projections: known before the batch is drawn, which is what the proof of
    /// convergence needs, and more accurate at equal data.
    Predictable,
    /// ϑ = 1 always, along the mean g: no curvature at all, for comparison.
    Plain,
}

/// How a learner moves. The default is the paper's: η = 1/k, β = ½, no update where ‖c‖ < 10⁻⁶.
///
/// ```
/// use osculate::{LearnerConfig, Schedule};
/// let noise_free = LearnerConfig { schedule: Schedule::Constant(1.0), beta: 0.0, ..LearnerConfig::<f32>::default() };
/// assert_eq!(noise_free.skip_below, 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LearnerConfig<S> {
    /// Where ϑ comes from.
    pub rule: Rule,
    /// The gain η_k.
    pub schedule: Schedule<S>,
    /// The momentum β, in [0, 1).
    pub beta: S,
    /// No update where ‖c‖ is below this. It is a length in the units of the weights, so it is *not* scale-invariant:
    /// 0 switches the test off. (`Plain` has no c, and tests ‖g‖.)
    pub skip_below: S,
    /// ϑ is cut to this where it is larger: rows that nearly repeat each other with other targets make it huge.
    pub theta_cap: Option<S>,
    /// `Predictable` measures the curvature only in every n-th update, counted from the first one. Every 8th is as
    /// accurate, and takes 2¼n instead of 4n multiply-accumulates a row. (`Paper` needs it every time.)
    pub curvature_every: NonZeroU32,
}

impl<S: Scalar> Default for LearnerConfig<S> {
    fn default() -> Self {
        Self {
            rule: Rule::Paper,
            schedule: Schedule::Harmonic,
            beta: S::from_ratio(1, 2),
            skip_below: S::from_ratio(1, 1_000_000),
            theta_cap: None,
            curvature_every: NonZeroU32::MIN,
        }
    }
}

impl<S: Scalar> LearnerConfig<S> {
    /// Curvature from past batches, η = k^−¾, β = ½, ϑ up to 10⁶, no absolute test: nothing here has a unit.
    ///
    /// ```
    /// use osculate::{LearnerConfig, Schedule};
    /// let config = LearnerConfig::<f32>::predictable();
    /// assert_eq!((config.schedule, config.beta), (Schedule::ThreeQuarters, 0.5));
    /// assert_eq!((config.skip_below, config.theta_cap), (0.0, Some(1e6)));
    /// ```
    pub fn predictable() -> Self {
        Self {
            rule: Rule::Predictable,
            schedule: Schedule::ThreeQuarters,
            skip_below: S::ZERO,
            theta_cap: Some(S::from_count(1_000_000)),
            ..Self::default()
        }
    }

    /// The plain step α = 1 with η = 1/k and no momentum.
    ///
    /// ```
    /// use osculate::{Batch, Learner, LearnerConfig};
    /// let mut batch = Batch::<f32, 2, 2>::new();
    /// batch.push(&[1.0, 0.0], 4.0).unwrap();
    /// batch.push(&[0.0, 1.0], 4.0).unwrap();
    /// let mut learner = Learner::<f32, 2>::new(LearnerConfig::plain()).unwrap();
    /// learner.update(&batch);
    /// assert_eq!(learner.weights(), &[2.0, 2.0]); // the mean of two projections; the curvature step gets to 4
    /// ```
    pub fn plain() -> Self {
        Self { rule: Rule::Plain, beta: S::ZERO, ..Self::default() }
    }

    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let in_range = |x: S| x.is_finite() && x >= S::ZERO;
        if !(in_range(self.beta) && self.beta < S::ONE) {
            return Err(ConfigError::Beta);
        }
        if !in_range(self.skip_below) {
            return Err(ConfigError::SkipBelow);
        }
        if self.theta_cap.is_some_and(|cap| !(in_range(cap) && cap >= S::ONE)) {
            return Err(ConfigError::ThetaCap);
        }
        match self.schedule {
            Schedule::Constant(gain) if !(in_range(gain) && gain > S::ZERO) => Err(ConfigError::Gain),
            _ => Ok(()),
        }
    }

    /// As [`check`](Self::check), and nothing that a streaming learner would have to ignore.
    pub(crate) fn check_streaming(&self) -> Result<(), ConfigError> {
        self.check()?;
        let is_heeded =
            self.rule == Rule::Predictable && self.skip_below == S::ZERO && self.curvature_every == NonZeroU32::MIN;
        if is_heeded { Ok(()) } else { Err(ConfigError::Streaming) }
    }
}

/// γ in [0, 1].
pub(crate) fn check_gamma<S: Scalar>(gamma: S) -> Result<(), ConfigError> {
    if gamma >= S::ZERO && gamma <= S::ONE { Ok(()) } else { Err(ConfigError::Gamma) }
}

/// Which part of a [`LearnerConfig`] makes no sense.
///
/// ```
/// use osculate::{ConfigError, Learner, LearnerConfig};
/// let config = LearnerConfig { beta: 1.0, ..LearnerConfig::<f32>::default() };
/// assert_eq!(Learner::<f32, 2>::new(config).unwrap_err(), ConfigError::Beta);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ConfigError {
    /// β is not in [0, 1).
    Beta,
    /// The threshold for ‖c‖ is negative or not finite.
    SkipBelow,
    /// A constant η is not positive or not finite.
    Gain,
    /// The cap on ϑ is below 1 or not finite.
    ThetaCap,
    /// γ is not in [0, 1].
    Gamma,
    /// ε is not in [0, 1].
    Epsilon,
    /// ε would halve after no episode at all.
    HalfAfter,
    /// A streaming learner has the rule `Predictable`, no threshold for skipping, and curvature in every episode.
    Streaming,
}

impl core::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Beta => "beta must be in [0, 1)",
            Self::SkipBelow => "the threshold for skipping must be finite and not negative",
            Self::Gain => "a constant gain must be finite and positive",
            Self::ThetaCap => "the cap on theta must be finite and at least 1",
            Self::Gamma => "gamma must be in [0, 1]",
            Self::Epsilon => "epsilon must be in [0, 1]",
            Self::HalfAfter => "epsilon must take at least one episode to halve",
            Self::Streaming => "streaming takes the predictable rule, skip_below = 0 and curvature_every = 1",
        })
    }
}

impl core::error::Error for ConfigError {}
