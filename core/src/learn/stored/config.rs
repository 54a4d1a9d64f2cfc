//! Parameters of a rule with a log.

use core::num::NonZeroU32;

use crate::learn::config::{ConfigError, check};
use crate::learn::schedule::Schedule;

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
