//! Parameters of the rule without a log.

use crate::learn::config::{ConfigError, check, expect_valid};
use crate::learn::schedule::Schedule;

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
