//! Recorded data through the learner, on this machine or on a board in QEMU, with every bit of every update.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`csv`] | a CSV file into a trace, or the line and what is wrong with it |
//! | [`trace`] | recorded episodes, and their bytes for a device |
//! | [`host`], [`device`] | learn from a trace here, or there |
//! | [`bits`] | decimals into numbers; results as decimals and as hexadecimal bits |
//! | [`prequential`] | how well each row was predicted before it was learned from |
//! | [`columns`] | what is suspicious about the features |
//! | [`json`] | results as a JSON object |
//! | everything else | the device's own source files: how to learn, and the bytes between the two |

pub mod bits;
pub mod columns;
pub mod csv;
pub mod device;
pub mod host;
pub mod json;
pub mod prequential;
pub mod trace;

#[path = "../../../firmware/src/replay/mod.rs"]
mod shared;
pub use shared::*;

use self::format::Update;
use self::trace::Trace;

/// What to learn from, and how.
#[derive(Clone, Copy, Debug)]
pub struct Job<'t> {
    /// The data.
    pub trace: &'t Trace,
    /// The numbers.
    pub arith: Arith,
    /// The rule and its parameters.
    pub config: Config,
}

impl Config {
    /// Whether it can be learned with, before anything is read, built or run.
    ///
    /// # Errors
    /// Says what does not go together.
    pub fn check(&self, arith: Arith) -> Result<(), Unusable> {
        // Only the numbers that parameters are rounded to make a difference.
        if arith == Arith::F64 { self.check_in::<f64>() } else { self.check_in::<f32>() }
    }

    fn check_in<A: Replayed>(&self) -> Result<(), Unusable> {
        match self.rule {
            Rule::Streaming => Streaming::<A, 1, 1>::new(self).map(drop),
            _ => Stored::<A, 1, 1, 1>::new(self, &mut Log::new()).map(drop),
        }
    }
}

impl Rule {
    /// Whether the weights to report are the average of all iterates, not the last one.
    pub fn reports_average(self) -> bool {
        matches!(self, Self::Predictable | Self::Streaming)
    }
}

/// Takes each update in turn, with the bits of the weights after it and of their average.
pub type OnUpdate<'f> = &'f mut (dyn FnMut(&Update, &[u64], &[u64]) + Send);
