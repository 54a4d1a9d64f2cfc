//! What is invalid in a configuration, which is checked once.

use super::schedule::Schedule;

/// Checks what rules with episodes have in common.
pub(crate) const fn check(
    gamma: f32,
    schedule: Schedule,
    beta: f32,
    theta_cap: Option<f32>,
) -> Result<(), ConfigError> {
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
