//! A learner's parameters: plain numbers, checked once.

use core::num::NonZeroU32;

use super::schedule::Schedule;

/// The target of a row in a [`Stored`](crate::Stored) episode.
///
/// ```
/// use osculate::{StoredConfig, Targets};
/// let one_step = StoredConfig { targets: Targets::OneStep, ..StoredConfig::PREDICTABLE };
/// assert_eq!(StoredConfig::PAPER.targets, Targets::MonteCarlo);
/// # let _ = one_step;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Targets {
    /// The discounted sum of the rewards after the first visit, as in the paper.
    MonteCarlo,
    /// The reward plus the discounted value of the next state. There is less noise, but values need more episodes to
    /// propagate across many steps. It is the better choice without a model if there are many rarely tried actions; use
    /// a small constant gain.
    OneStep,
}

/// The source of the step size ϑ.
///
/// ```
/// use osculate::{StoredConfig, Theta};
/// assert_eq!(StoredConfig::PAPER.theta, Theta::SameBatch);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Theta {
    /// The curvature of the current episode, along the mean g, as in the paper.
    SameBatch,
    /// The curvature of past episodes, along the sum of projections. It is known before the episode begins, as the
    /// proof of convergence requires, and is more accurate for the same amount of data.
    PastBatches {
        /// The curvature is measured only in every n-th update, starting with the first. Every 8th is just as accurate,
        /// and takes 2¼n instead of 4n multiply-accumulates per row.
        every: NonZeroU32,
    },
    /// Always ϑ = 1, along the mean g: no curvature, for comparison.
    One,
}

/// Parameters of a [`Stored`](crate::Stored) learner.
///
/// ```
/// use osculate::{Log, Schedule, Stored, StoredConfig};
/// const NOISE_FREE: StoredConfig = StoredConfig { schedule: Schedule::Constant(1.0), beta: 0.0, ..StoredConfig::PAPER };
/// let learner = const { Stored::new(NOISE_FREE, Log::<f32, 2, 8, 8>::NEW) };
/// # let _ = learner;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StoredConfig {
    /// The discount γ, in [0, 1].
    pub gamma: f32,
    /// The targets of the rows.
    pub targets: Targets,
    /// The source of ϑ.
    pub theta: Theta,
    /// The gain η_k.
    pub schedule: Schedule,
    /// The momentum β, in [0, 1).
    pub beta: f32,
    /// Updates are skipped if ‖c‖ is below this. It is a length in the units of the weights, so it is *not*
    /// scale-invariant. 0 disables the test. (If c is not measured, ‖g‖ is compared.)
    pub skip_below: f32,
    /// An upper limit on ϑ: nearly repeated rows with different targets can make it huge.
    pub theta_cap: Option<f32>,
}

impl StoredConfig {
    /// The paper's parameters: ϑ from the same episode, η = 1/k, β = ½, no update if ‖c‖ < 10⁻⁶. γ = 0.95.
    ///
    /// ```
    /// use osculate::StoredConfig;
    /// let config = StoredConfig { gamma: 0.9, ..StoredConfig::PAPER };
    /// assert_eq!((config.beta, config.skip_below), (0.5, 1e-6));
    /// ```
    pub const PAPER: Self = Self {
        gamma: 0.95,
        targets: Targets::MonteCarlo,
        theta: Theta::SameBatch,
        schedule: Schedule::Harmonic,
        beta: 0.5,
        skip_below: 1e-6,
        theta_cap: None,
    };

    /// Curvature from past episodes, η = k^−¾, β = ½, ϑ up to 10⁶, no absolute threshold: nothing here has a unit. γ =
    /// 0.95.
    ///
    /// ```
    /// use osculate::{Schedule, StoredConfig};
    /// let config = StoredConfig::PREDICTABLE;
    /// assert_eq!((config.schedule, config.skip_below, config.theta_cap), (Schedule::ThreeQuarters, 0.0, Some(1e6)));
    /// ```
    pub const PREDICTABLE: Self = Self {
        theta: Theta::PastBatches { every: NonZeroU32::MIN },
        schedule: Schedule::ThreeQuarters,
        skip_below: 0.0,
        theta_cap: Some(1e6),
        ..Self::PAPER
    };

    /// The plain step ϑ = 1 with η = 1/k and no momentum. γ = 0.95.
    ///
    /// ```
    /// use osculate::{Log, Predictor, Stored, StoredConfig};
    /// let mut predictor = Predictor::new(Stored::new(StoredConfig::PLAIN, Log::<f32, 2, 1, 2>::NEW));
    /// predictor.learn(4.0, &[1.0, 0.0]).unwrap();
    /// predictor.learn(4.0, &[0.0, 1.0]).unwrap();
    /// predictor.end();
    /// assert_eq!(predictor.weights(), &[2.0, 2.0]); // the mean of two projections; the curvature step reaches 4
    /// ```
    pub const PLAIN: Self = Self { theta: Theta::One, beta: 0.0, ..Self::PAPER };

    pub(crate) const fn check(&self) -> Result<(), ConfigError> {
        if !(self.skip_below >= 0.0 && self.skip_below.is_finite()) {
            return Err(ConfigError::SkipBelow);
        }
        check(self.gamma, self.schedule, self.beta, self.theta_cap)
    }
}

/// Parameters of a [`Streaming`](crate::Streaming) learner.
///
/// ```
/// use osculate::{Schedule, StreamingConfig};
/// const CONFIG: StreamingConfig = StreamingConfig { beta: 0.0, ..StreamingConfig::new(0.875) };
/// assert_eq!((CONFIG.gamma, CONFIG.schedule, CONFIG.theta_cap), (0.875, Schedule::ThreeQuarters, Some(1e6)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StreamingConfig {
    /// The discount γ, in [0, 1].
    pub gamma: f32,
    /// The gain η_k.
    pub schedule: Schedule,
    /// The momentum β, in [0, 1).
    pub beta: f32,
    /// An upper limit on ϑ.
    pub theta_cap: Option<f32>,
}

impl StreamingConfig {
    /// Curvature from past episodes, η = k^−¾, β = ½, ϑ up to 10⁶; γ = 0.95.
    ///
    /// ```
    /// use osculate::StreamingConfig;
    /// assert_eq!(StreamingConfig::default(), StreamingConfig::DEFAULT);
    /// ```
    pub const DEFAULT: Self = Self { gamma: 0.95, schedule: Schedule::ThreeQuarters, beta: 0.5, theta_cap: Some(1e6) };

    /// The defaults with another discount, as a constant.
    ///
    /// # Panics
    /// If γ is not in [0, 1]; in a constant that is an error of the compiler.
    ///
    /// ```
    /// use osculate::StreamingConfig;
    /// assert_eq!(const { StreamingConfig::new(0.5) }, StreamingConfig { gamma: 0.5, ..StreamingConfig::DEFAULT });
    /// ```
    ///
    /// ```compile_fail,E0080
    /// const CONFIG: osculate::StreamingConfig = osculate::StreamingConfig::new(1.5);
    /// ```
    #[track_caller]
    pub const fn new(gamma: f32) -> Self {
        let config = Self { gamma, ..Self::DEFAULT };
        expect_valid(config.check());
        config
    }

    /// The same for a discount that is known only at run time.
    ///
    /// # Errors
    /// [`ConfigError::Gamma`] if γ is not in [0, 1].
    ///
    /// ```
    /// use osculate::{ConfigError, StreamingConfig};
    /// assert_eq!(StreamingConfig::try_new(f32::NAN), Err(ConfigError::Gamma));
    /// ```
    pub const fn try_new(gamma: f32) -> Result<Self, ConfigError> {
        let config = Self { gamma, ..Self::DEFAULT };
        match config.check() {
            Ok(()) => Ok(config),
            Err(error) => Err(error),
        }
    }

    pub(crate) const fn check(&self) -> Result<(), ConfigError> {
        check(self.gamma, self.schedule, self.beta, self.theta_cap)
    }
}

/// [`DEFAULT`](Self::DEFAULT).
impl Default for StreamingConfig {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Parameters of a [`Tracking`](crate::Tracking) learner. The defaults need no tuning.
///
/// ```
/// use osculate::TrackingConfig;
/// const CONFIG: TrackingConfig = TrackingConfig { lambda: 0.5, ..TrackingConfig::new(0.875) };
/// assert_eq!((CONFIG.gamma, CONFIG.gain, CONFIG.every), (0.875, 0.5, 16));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TrackingConfig {
    /// The discount γ, in [0, 1]. With 0, each target is the signal itself.
    pub gamma: f32,
    /// How far errors are carried back: the λ of TD(λ), in [0, 1].
    pub lambda: f32,
    /// The largest gain μ, in (0, 1], which is also the first.
    pub gain: f32,
    /// The least gain, in (0, `gain`]; equal to `gain` for a constant one.
    pub least_gain: f32,
    /// M, the number of rows from one adjustment of the gain to the next.
    pub every: u16,
    /// Learns the value of the best action in the next state (Q-learning) instead of that of the action taken (Sarsa).
    /// It needs λ = 0.
    pub greedy: bool,
}

impl TrackingConfig {
    /// For predictions: γ = 0.95, λ = 0.8, μ from ½ down to 0.001, adjusted every 16 rows.
    ///
    /// ```
    /// use osculate::TrackingConfig;
    /// assert_eq!(TrackingConfig::default(), TrackingConfig::DEFAULT);
    /// ```
    pub const DEFAULT: Self = Self { gamma: 0.95, lambda: 0.8, gain: 0.5, least_gain: 1e-3, every: 16, greedy: false };

    /// The defaults with another discount, as a constant.
    ///
    /// # Panics
    /// If γ is not in [0, 1]; in a constant that is an error of the compiler.
    ///
    /// ```
    /// use osculate::TrackingConfig;
    /// assert_eq!(const { TrackingConfig::new(0.5) }, TrackingConfig { gamma: 0.5, ..TrackingConfig::DEFAULT });
    /// ```
    ///
    /// ```compile_fail,E0080
    /// const CONFIG: osculate::TrackingConfig = osculate::TrackingConfig::new(1.5);
    /// ```
    #[track_caller]
    pub const fn new(gamma: f32) -> Self {
        let config = Self { gamma, ..Self::DEFAULT };
        expect_valid(config.check());
        config
    }

    /// The same for a discount that is known only at run time.
    ///
    /// # Errors
    /// [`ConfigError::Gamma`] if γ is not in [0, 1].
    ///
    /// ```
    /// use osculate::{ConfigError, TrackingConfig};
    /// assert_eq!(TrackingConfig::try_new(1.5), Err(ConfigError::Gamma));
    /// ```
    pub const fn try_new(gamma: f32) -> Result<Self, ConfigError> {
        let config = Self { gamma, ..Self::DEFAULT };
        match config.check() {
            Ok(()) => Ok(config),
            Err(error) => Err(error),
        }
    }

    /// For agents: μ is at most ¼.
    ///
    /// ```
    /// use osculate::TrackingConfig;
    /// assert_eq!(TrackingConfig::CONTROL.gain, 0.25);
    /// ```
    pub const CONTROL: Self = Self { gain: 0.25, ..Self::DEFAULT };

    /// For tables of action values: greedy targets, λ = 0, a constant gain of 0.1.
    ///
    /// ```
    /// use osculate::TrackingConfig;
    /// assert!(TrackingConfig::TABLE.greedy && TrackingConfig::TABLE.least_gain == TrackingConfig::TABLE.gain);
    /// ```
    pub const TABLE: Self = Self { lambda: 0.0, gain: 0.1, least_gain: 0.1, greedy: true, ..Self::DEFAULT };

    pub(crate) const fn check(&self) -> Result<(), ConfigError> {
        if !(self.gamma >= 0.0 && self.gamma <= 1.0) {
            return Err(ConfigError::Gamma);
        }
        if !(self.lambda >= 0.0 && self.lambda <= 1.0) {
            return Err(ConfigError::Lambda);
        }
        if !(self.gain > 0.0 && self.gain <= 1.0) {
            return Err(ConfigError::Gain);
        }
        if !(self.least_gain > 0.0 && self.least_gain <= self.gain) {
            return Err(ConfigError::LeastGain);
        }
        if self.every == 0 {
            return Err(ConfigError::Every);
        }
        if self.greedy && self.lambda > 0.0 { Err(ConfigError::Greedy) } else { Ok(()) }
    }
}

/// [`DEFAULT`](Self::DEFAULT).
impl Default for TrackingConfig {
    fn default() -> Self {
        Self::DEFAULT
    }
}

const fn check(gamma: f32, schedule: Schedule, beta: f32, theta_cap: Option<f32>) -> Result<(), ConfigError> {
    if !(gamma >= 0.0 && gamma <= 1.0) {
        return Err(ConfigError::Gamma);
    }
    if !(beta >= 0.0 && beta < 1.0) {
        return Err(ConfigError::Beta);
    }
    if let Some(cap) = theta_cap
        && !(cap >= 1.0 && cap.is_finite())
    {
        return Err(ConfigError::ThetaCap);
    }
    match schedule {
        Schedule::Constant(gain) => check_gain(gain),
        _ => Ok(()),
    }
}

pub(crate) const fn check_gain(gain: f32) -> Result<(), ConfigError> {
    if gain > 0.0 && gain.is_finite() { Ok(()) } else { Err(ConfigError::Gain) }
}

pub(crate) const fn check_exploration(start: f32, half_after: u32) -> Result<(), ConfigError> {
    if !(start >= 0.0 && start <= 1.0) {
        return Err(ConfigError::Epsilon);
    }
    if half_after > 0 { Ok(()) } else { Err(ConfigError::HalfAfter) }
}

/// Which parameter of a configuration is invalid.
///
/// ```
/// use osculate::{ConfigError, Streaming, StreamingConfig};
/// let config = StreamingConfig { beta: 1.0, ..StreamingConfig::DEFAULT };
/// assert_eq!(Streaming::<f32, 2>::try_new(config).unwrap_err(), ConfigError::Beta);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ConfigError {
    /// β is not in [0, 1).
    Beta,
    /// The threshold for ‖c‖ is negative or not finite.
    SkipBelow,
    /// A constant η or a model's μ is not positive, or not finite; or the largest μ is not in (0, 1].
    Gain,
    /// The least μ is not positive, or larger than the largest one.
    LeastGain,
    /// λ is not in [0, 1].
    Lambda,
    /// The gain would be adjusted every 0 rows.
    Every,
    /// Greedy targets with a λ above 0.
    Greedy,
    /// The cap on ϑ is below 1 or not finite.
    ThetaCap,
    /// γ is not in [0, 1].
    Gamma,
    /// ε is not in [0, 1].
    Epsilon,
    /// `half_after` is 0.
    HalfAfter,
}

impl ConfigError {
    const fn message(self) -> &'static str {
        match self {
            Self::Beta => "beta must be in [0, 1)",
            Self::SkipBelow => "skip_below must be finite and at least 0",
            Self::Gain => "gain must be positive and finite (tracking: at most 1)",
            Self::LeastGain => "least_gain must be positive, and at most gain",
            Self::Lambda => "lambda must be in [0, 1]",
            Self::Every => "every must be at least 1",
            Self::Greedy => "greedy targets need lambda = 0",
            Self::ThetaCap => "theta_cap must be finite and at least 1",
            Self::Gamma => "gamma must be in [0, 1]",
            Self::Epsilon => "start, the first epsilon, must be in [0, 1]",
            Self::HalfAfter => "half_after must be at least 1",
        }
    }
}

impl core::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.message())
    }
}

impl core::error::Error for ConfigError {}

/// Panics with the name of an invalid parameter; in a constant, that is an error of the compiler.
#[track_caller]
pub(crate) const fn expect_valid(checked: Result<(), ConfigError>) {
    if let Err(error) = checked {
        panic!("{}", error.message())
    }
}
