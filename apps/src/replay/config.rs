//! The parameters of a replay.

use osculate::{ConfigError, Schedule, Targets};
use serde::{Deserialize, Serialize};

use crate::choice::Rule;

/// The learner's parameters. `None` keeps the rule's default.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// The rule.
    pub rule: Rule,
    /// The targets.
    pub targets: Targets,
    /// γ, in [0, 1].
    pub gamma: f32,
    /// The gain η of the k-th update.
    pub eta: Option<Schedule>,
    /// β, in [0, 1).
    pub beta: Option<f32>,
    /// No update if ‖c‖ is below this; 0 disables the test.
    pub skip_below: Option<f32>,
    /// λ of `tracking`, in [0, 1].
    pub lambda: Option<f32>,
    /// Rows from one adjustment of `tracking`'s gain to the next.
    pub every: Option<u16>,
}

impl Config {
    /// A rule with its own defaults, Monte Carlo targets and no discount. (The targets of `tracking` follow from λ.)
    pub const fn new(rule: Rule) -> Self {
        let targets = Targets::MonteCarlo;
        Self { rule, targets, gamma: 1.0, eta: None, beta: None, skip_below: None, lambda: None, every: None }
    }
}

/// Why a [`Config`] cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// A parameter is out of range.
    Range(ConfigError),
    /// The rule has no such thing.
    Missing(&'static str),
    /// An option that tracking does not have.
    NotForTracking(&'static str),
    /// An option that only tracking has.
    OnlyForTracking(&'static str),
}

impl Unusable {
    /// Its targets cannot be chosen.
    pub const TRACKING_TARGETS: Self =
        Self::Missing("the targets of `tracking` follow from `--lambda`: 0 is td0, 1 is nearly mc; or choose `given`");
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
            Self::Missing(what) => f.write_str(what),
            Self::NotForTracking(option) => write!(f, "`{option}` is not for `tracking`, which sets its gain itself"),
            Self::OnlyForTracking(option) => write!(f, "`{option}` is for `tracking` only"),
        }
    }
}

impl core::error::Error for Unusable {}
