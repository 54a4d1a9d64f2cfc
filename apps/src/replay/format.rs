//! The byte format between host and device: `postcard` records, one after another.
//!
//! To the device: [`MAGIC`] and a [`Header`], then the [`TraceRecord`] samples of each episode and its end.
//!
//! From the device: for each episode the weights after it, the best estimate, and last a [`DeviceRecord::Report`]; then [`DeviceRecord::End`], or
//! [`DeviceRecord::Full`] if an episode did not fit. A file without either was truncated. A rule that learns during an episode
//! also tells what it expected at each step, before the update.

use heapless::Vec;
use osculate::{TrackingReport, Update};
pub use postcard::{Error, take_from_bytes, to_extend, to_slice};
use serde::{Deserialize, Serialize};

use super::Full;
use super::config::Config;
use crate::choice::Arith;

/// The maximum number of features per step on a device.
pub const FEATURES: usize = 32;
/// The maximum size of a record in bytes: the weights in `f64`.
pub const MOST: usize = 324;

/// Some of the values that a device expected.
pub type Values = Vec<f32, FEATURES>;

/// The bits of weights.
pub type Bits = Vec<u64, FEATURES>;

/// The first bytes of a trace.
pub const MAGIC: [u8; 4] = *b"OSR6";

/// The header of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The arithmetic.
    pub arith: Arith,
    /// The learner's parameters.
    pub config: Config,
    /// Features per step.
    pub features: u16,
    /// Episodes in the trace.
    pub episodes: u32,
}

/// A recorded event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
// There is no heap for the larger variant.
#[allow(clippy::large_enum_variant)]
pub enum TraceRecord {
    /// A sample.
    Step {
        /// The reward of the step before it, if there was one.
        reward: Option<f32>,
        /// The state, numbered from 0 within its episode.
        state: u32,
        /// φ.
        features: Vec<f32, FEATURES>,
    },
    /// The end of an episode, with its last reward.
    End {
        /// The reward of the last step.
        reward: Option<f32>,
    },
}

/// A record from a device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant)]
pub enum DeviceRecord {
    /// The values that were expected at the next steps of an episode; NaN for those that were refused.
    Expected(Values),
    /// The bits of the weights after an episode.
    Weights(Bits),
    /// The bits of the best estimate: of their average, for rules that keep one.
    Estimate(Bits),
    /// The episode is over, and was learned from.
    Report(Report),
    /// An episode does not fit.
    Full(Full),
    /// All episodes were learned from.
    End,
}

/// What a rule reports at the end of an episode.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Report {
    /// A rule with episodes has made its update.
    Update(Update),
    /// A rule that learns at every sample has done so.
    Tracking(TrackingReport),
}

/// What both kinds of report say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Rows learned from.
    pub rows: u32,
    /// Steps and rows dropped.
    pub dropped: u32,
    /// The number of saturated values.
    pub saturated: u32,
    /// The step size: ϑ, or the gain.
    pub step: f32,
    /// How large the errors are: ‖g‖, or the mean distance to a row.
    pub error: f32,
}

impl Report {
    /// What it says of rows, steps and errors.
    pub fn summary(&self) -> Summary {
        match *self {
            Self::Update(Update { tau: rows, dropped, saturated, theta: step, g_norm: error, .. })
            | Self::Tracking(TrackingReport { rows, dropped, saturated, gain: step, error, .. }) => {
                Summary { rows, dropped, saturated, step, error }
            }
        }
    }
}

impl From<Update> for Report {
    fn from(update: Update) -> Self {
        Self::Update(update)
    }
}

impl From<TrackingReport> for Report {
    fn from(report: TrackingReport) -> Self {
        Self::Tracking(report)
    }
}
