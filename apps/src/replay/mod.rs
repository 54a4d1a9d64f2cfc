//! Feeds recorded steps through a learner: on the device by its binary `replay`, and on the host, which compares the two.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`config`] | how to learn, as a user chooses it; what is not chosen is the rule's own default |
//! | [`bits`] | decimals into numbers; results as decimals and as hexadecimal bits |
//! | [`number`] | recorded numbers into an arithmetic, and its results out as bits |
//! | [`stored`], [`streaming`] | the two kinds of learner, behind one trait |
//! | [`format`](mod@format) | the bytes that travel between host and device |

pub mod bits;
pub mod config;
pub mod format;
pub mod number;
pub mod stored;
pub mod streaming;

use osculate::Outcome;
use serde::{Deserialize, Serialize};

pub use config::{Config, Eta, Rule, Targets, Unusable};
pub use number::{Arith, Replayed, Value};
pub use stored::{Log, Stored};
pub use streaming::Streaming;

/// A learner that takes an episode step by step. What it cannot learn from, it drops and counts.
pub trait Replayer<A: Replayed, const N: usize> {
    /// One step: the state that was left, numbered from 0 within its episode, its features, and the reward on leaving it.
    ///
    /// # Errors
    /// [`Full`] where the episode is too long to go on with.
    fn step(&mut self, state: u32, features: &[A::Value; N], reward: A::Value) -> Result<(), Full>;
    /// One update from the steps since the last one.
    fn end_episode(&mut self) -> Outcome<A::Scalar>;
    /// w.
    fn weights(&self) -> &[A::Weight; N];
    /// The average of all iterates, weighted as k³.
    fn averaged(&self) -> &[A::Weight; N];
}

/// An episode has more than there is room for. A part of it would be another episode, so nothing is learned from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Full {
    /// More steps than this.
    Steps(u32),
    /// More different states than this.
    States(u32),
}

impl core::fmt::Display for Full {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Steps(limit) => write!(f, "more than {limit} steps"),
            Self::States(limit) => write!(f, "more than {limit} different states"),
        }
    }
}

impl core::error::Error for Full {}
