//! What a test program tells the host: one report per line of its log, encoded like a
//! [`Message`](osculate_apps::message::Message).

use checkpoint_ring::StoreError;
use heapless::String;
use osculate_apps::choice::Arith;
use serde::{Deserialize, Serialize};

use crate::count::Count;
use crate::grid::{CELLS, MAX_STEPS};
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
    /// `grid`: the actions of an episode, as letters. Sent separately, since every report takes as much stack as the
    /// largest.
    Trail(String<MAX_STEPS>),
    /// `grid`: the update after them.
    Walk {
        /// The arithmetic.
        arith: Arith,
        /// The update's number.
        k: u32,
        /// The number of random actions.
        explored: u32,
        /// ϑ.
        theta: f32,
        /// The bits of w.
        weights: [u32; CELLS],
    },
    /// `grid`: the final greedy policy, a letter for each cell.
    Policy(Arith, [u8; CELLS]),
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
