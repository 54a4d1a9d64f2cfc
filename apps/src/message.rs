//! The messages from a device to the host: one per line of its log, encoded by `postcard`.
//!
//! Numbers that are compared bit by bit are sent as bits, floats included. The rest of the log is only for people to
//! read.

use heapless::String;
use serde::{Deserialize, Serialize};

use crate::boot::Boot;
use crate::choice::Arith;
use crate::count::Count;
use crate::fan::Blown;
use crate::fault::FaultCounts;
use crate::grid::{CELLS, MAX_STEPS};
use crate::keep::Found;
use crate::nexting::Moment;
use crate::room::telemetry::{Evening, Known, Recorded, Start};
use crate::soak::Soaked;
use crate::store::{Origin, StoreError};

/// A message from a device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Message {
    /// `room`: a step that is learned from.
    Step(Recorded),
    /// `room`: the house, as far as the agent knows it; comes before the evening's report.
    Known(Known),
    /// `room`: an evening is over.
    Evening(Evening),
    /// `room`: how it starts; comes first, and again if the store was unreadable then and is not any more.
    Start(Start),
    /// `room`: the number of the checkpoint that was stored, or why it was not.
    Stored(Result<u32, StoreError>),
    /// `keep`: what a boot has found.
    Found(Found),
    /// `soak`: how far it is.
    Soaked(Soaked),
    /// `room`: the faults of the sensors since the boot; the last word about an evening.
    Faults(FaultCounts),
    /// The maximum stack depth in bytes.
    Stack(u32),
    /// `nexting`: the compass reading and its prediction.
    Moment(Moment),
    /// `grid`: the actions of an episode, as letters. Sent separately, since every message takes as much stack as the
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
    /// `fan_systick`, `fan_task`: an episode is over.
    Blown(Blown),
    /// `resume`, `drift`: the rules continued from every saved state; a digest of the final states.
    Resumed(Arith, u64),
    /// `drift`: a digest of the weights after every step.
    Drifted(Arith, u64),
    /// `replay`: the number of updates done.
    Updates(u32),
    /// `nexting`: where it starts from after a boot, and how many samples are behind it.
    Woken {
        /// A checkpoint, or why there is none.
        origin: Origin,
        /// Those that were learned from.
        samples: u32,
    },
    /// `nexting`: the last reading was outside of its band; how far, in units of the band.
    Surprise(f32),
    /// The device has started anew, after a reset that it did not want.
    Boot(Boot),
    /// Everything that was requested is done.
    Done,
}

impl Message {
    /// The maximum size in bytes.
    pub const MOST: usize = 104;

    /// Encodes the message.
    ///
    /// # Errors
    /// Never fails with a buffer of this size.
    // Compiled in this crate, because the firmware optimises for size.
    #[inline(never)]
    pub fn to_bytes<'b>(&self, buffer: &'b mut [u8; Self::MOST]) -> Result<&'b [u8], postcard::Error> {
        postcard::to_slice(self, buffer).map(|bytes| &*bytes)
    }

    /// Decodes a message.
    ///
    /// # Errors
    /// The bytes are not a message, or are more than one.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, postcard::Error> {
        match postcard::take_from_bytes(bytes)? {
            (message, []) => Ok(message),
            _ => Err(postcard::Error::DeserializeBadEncoding),
        }
    }
}
