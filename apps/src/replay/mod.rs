//! Replays recorded steps through a learner, on the device (binary `replay`) and on the host, which compares the two.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`config`] | the parameters that a user chooses; the others keep the rule's defaults |
//! | [`rules`] | the list of rules, and how each is built |
//! | [`format`](mod@format) | the byte format between host and device |

pub mod config;
pub mod format;
pub mod rules;

use osculate::Limit;
use serde::{Deserialize, Serialize};

pub use crate::choice::{Arith, Rule};
pub use config::{Config, Unusable};
pub use osculate::{Schedule, Targets};

/// An episode does not fit. A part of it would be a different episode, so nothing is learned from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Full {
    /// More steps than this.
    Steps(u32),
    /// More distinct states than this.
    States(u32),
}

impl Full {
    /// The error for a learner with room for this many steps and distinct states.
    pub fn new(limit: Limit, steps: usize, states: usize) -> Self {
        match limit {
            Limit::Steps => Self::Steps(steps as u32),
            Limit::Rows => Self::States(states as u32),
        }
    }
}

impl core::fmt::Display for Full {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Steps(limit) => write!(f, "more than {limit} steps"),
            Self::States(limit) => write!(f, "more than {limit} different states"),
        }
    }
}
