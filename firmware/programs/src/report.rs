//! What a test program tells the host: one report per line of its log, encoded like a
//! [`Message`](osculate_apps::message::Message).

use checkpoint_ring::StoreError;
use osculate_apps::choice::Arith;
use serde::{Deserialize, Serialize};

use crate::count::Count;
use crate::grid::CELLS;
use crate::keep::Found;
use crate::soak::Soaked;

/// A report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Report {
    /// `keep`: what a boot has found.
    Found(Found),
    /// `keep`: the number of the checkpoint that was stored, or why it was not.
    Stored(Result<u32, StoreError>),
    /// `soak`: how far it is.
    Soaked(Soaked),
    /// `grid`: the final greedy policy, a letter for each cell; and a digest of all actions and weights on the way.
    Policy(Arith, [u8; CELLS], u64),
    /// `bench`: the cost of a part of the learner.
    Count(Count),
    /// `bench`: the size of a learner in bytes.
    Memory {
        /// With a log.
        stored: u32,
        /// Without one.
        streaming: u32,
        /// By tracking.
        tracking: u32,
    },
    /// `resume`, `drift`: the rules continued from every saved state; a digest of the final states.
    Resumed(Arith, u64),
    /// `drift`: a digest of the weights after every step.
    Drifted(Arith, u64),
}
