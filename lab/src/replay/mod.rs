//! Replays recorded data through the learner, on this machine or on a board in QEMU, with every bit of every update.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`csv`] | a CSV file into a trace, or the line and what is wrong with it |
//! | [`trace`] | recorded episodes, and their bytes for a device |
//! | [`host`], [`device`] | learn from a trace here, or there |
//! | [`prequential`] | how well each row was predicted before it was learned from |
//! | [`columns`] | checks for suspicious features |
//! | [`json`] | results as a JSON object |
//! | everything else | shared with the device: how to learn, and the bytes between the two |

pub mod columns;
pub mod csv;
pub mod device;
pub mod host;
pub mod json;
pub mod prequential;
pub mod trace;

pub use osculate_apps::replay::*;

use self::format::Update;
use self::trace::Trace;

/// What to learn from, and how.
#[derive(Clone, Copy, Debug)]
pub struct Job<'t> {
    /// The data.
    pub trace: &'t Trace,
    /// The arithmetic.
    pub arith: Arith,
    /// The rule and its parameters.
    pub config: Config,
}

/// Receives each update in turn, with the bits of the weights after it and of their average.
pub type OnUpdate<'f> = &'f mut (dyn FnMut(&Update, &[u64], &[u64]) + Send);
