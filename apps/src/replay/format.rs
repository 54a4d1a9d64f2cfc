//! The byte format between host and device: `postcard` records, one after another.
//!
//! To the device: [`MAGIC`] and a [`Header`], then the [`Recorded`] samples of each episode and its end.
//!
//! From the device: for each episode a [`Told::Update`], the weights after it and their average; then [`Told::End`], or
//! [`Told::Full`] if an episode did not fit. A file without either was truncated. A rule that learns during an episode
//! also tells what it expected at each step, before the update.

use heapless::Vec;
use osculate::{Outcome, Verdict};
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
pub const MAGIC: [u8; 4] = *b"OSR4";

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
pub enum Recorded {
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
pub enum Told {
    /// The values that were expected at the next steps of an episode; NaN for those that were refused.
    Expected(Values),
    /// An update was made.
    Update(Update),
    /// The bits of the weights after it.
    Weights(Bits),
    /// The bits of the average of all weights.
    Averaged(Bits),
    /// An episode does not fit.
    Full(Full),
    /// All episodes were learned from.
    End,
}

/// The report of one update.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Update {
    /// The result of the update.
    #[serde(with = "verdict")]
    pub verdict: Verdict,
    /// The update's number.
    pub k: u32,
    /// Rows learned from.
    pub tau: u32,
    /// Steps and rows dropped.
    pub dropped: u32,
    /// The number of saturated values.
    pub saturated: u32,
    /// ϑ.
    pub theta: f32,
    /// ‖g‖.
    pub g_norm: f32,
}

impl From<Outcome> for Update {
    fn from(outcome: Outcome) -> Self {
        let Outcome { k, tau, dropped, saturated, g_norm, theta, verdict } = outcome;
        Self { verdict, k, tau, dropped, saturated, theta, g_norm }
    }
}

/// The library's verdicts, by the numbers used here.
mod verdict {
    use osculate::Verdict;
    use serde::de::{Error as _, Unexpected};
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    const ALL: [Verdict; 4] = [Verdict::Stepped, Verdict::Skipped, Verdict::Empty, Verdict::Overflow];

    pub(super) fn serialize<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
        let number = ALL.iter().position(|known| known == verdict);
        (number.ok_or_else(|| S::Error::custom("a verdict without a number"))? as u8).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Verdict, D::Error> {
        let number = u8::deserialize(deserializer)?;
        let verdict = ALL.get(usize::from(number)).copied();
        verdict.ok_or_else(|| D::Error::invalid_value(Unexpected::Unsigned(number.into()), &"the number of a verdict"))
    }
}
