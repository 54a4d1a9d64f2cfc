//! The bytes that travel between host and device: records in the bytes of `postcard`, one after the other.
//!
//! To the device: [`MAGIC`] and a [`Header`], then the [`Recorded`] samples of each episode and its end.
//!
//! From the device: for each episode an [`Told::Update`], the weights after it and their average; then [`Told::End`], or
//! [`Told::Full`] where an episode found no room. A file without either was cut short.

use heapless::Vec;
use osculate::{Outcome, Verdict};
pub use postcard::{Error, take_from_bytes, to_extend, to_slice};
use serde::{Deserialize, Serialize};

use super::Full;
use super::config::Config;
use crate::choice::Arith;

/// Features per step that a device has room for.
pub const FEATURES: usize = 32;
/// Bytes of a record, at the most: of the weights in `f64`.
pub const MOST: usize = 324;

/// What a trace starts with.
pub const MAGIC: [u8; 4] = *b"OSR3";

/// What a trace is about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// What to learn in.
    pub arith: Arith,
    /// How to learn.
    pub config: Config,
    /// Features per step.
    pub features: u16,
    /// Episodes in the trace.
    pub episodes: u32,
}

/// What was recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
// There is no heap to put the larger one on.
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
        /// Of the last step.
        reward: Option<f32>,
    },
}

/// What a device has to say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant)]
pub enum Told {
    /// An update was made.
    Update(Update),
    /// The bits of the weights after it.
    Weights(Vec<u64, FEATURES>),
    /// The bits of the average of all weights.
    Averaged(Vec<u64, FEATURES>),
    /// An episode has too much.
    Full(Full),
    /// All episodes were learned from.
    End,
}

/// What one update did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Update {
    /// What became of the episode.
    #[serde(with = "verdict")]
    pub verdict: Verdict,
    /// The update's number.
    pub k: u32,
    /// Rows learned from.
    pub tau: u32,
    /// Steps and rows dropped.
    pub dropped: u32,
    /// Numbers that were saturated.
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

/// The library's verdicts, by their numbers here.
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
