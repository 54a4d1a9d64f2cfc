//! Parameters of the rule that learns at every sample.

use crate::learn::config::{ConfigError, expect_valid};

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
