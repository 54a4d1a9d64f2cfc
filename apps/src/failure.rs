//! Why an application had to give up.

use checkpoint_ring::StoreError;
use osculate::{ConfigError, RowError, StateError};

use crate::line::LineLost;

/// The reason, as text for the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure(pub &'static str);

/// The result of an application.
pub type Result<T> = core::result::Result<T, Failure>;

impl From<ConfigError> for Failure {
    fn from(_: ConfigError) -> Self {
        Self("a parameter of the learner is invalid")
    }
}

impl From<RowError> for Failure {
    fn from(_: RowError) -> Self {
        Self("a reading cannot be learned from")
    }
}

impl From<StateError> for Failure {
    fn from(_: StateError) -> Self {
        Self("a saved state was refused")
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self(error.text())
    }
}

impl From<LineLost> for Failure {
    fn from(_: LineLost) -> Self {
        Self(LineLost::TEXT)
    }
}

impl core::fmt::Display for Failure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.0)
    }
}

impl core::error::Error for Failure {}
