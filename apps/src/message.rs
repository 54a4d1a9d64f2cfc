//! What a device tells the host: one message per line of its log, in the bytes of `postcard`.
//!
//! Numbers that are compared bit by bit travel as their bits, floats included. What else is in the log is for people, and
//! nobody reads it but them.

use heapless::String;
use serde::{Deserialize, Serialize};

use crate::choice::Arith;
use crate::count::Count;
use crate::fan::Blown;
use crate::grid::{CELLS, MAX_STEPS};
use crate::nexting::Moment;
use crate::room::telemetry::{Evening, Recorded};

/// Something that a device tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Message {
    /// `room`: a step, as it is learned from.
    Step(Recorded),
    /// `room`: an evening is over.
    Evening(Evening),
    /// How deep the stack was, in bytes.
    Stack(u32),
    /// `nexting`: what the compass shows, and what is expected of it.
    Moment(Moment),
    /// `grid`: the actions of an episode, in letters. By itself, since all messages take as much stack as the largest.
    Trail(String<MAX_STEPS>),
    /// `grid`: what was learned from them.
    Walk {
        /// The numbers that are learned in.
        arith: Arith,
        /// The update's number.
        k: u32,
        /// Random actions.
        explored: u32,
        /// ϑ.
        theta: f32,
        /// The bits of w.
        weights: [u32; CELLS],
    },
    /// `grid`: the greedy policy in the end, a letter for each cell.
    Policy(Arith, [u8; CELLS]),
    /// `bench`: what a part of the learner costs.
    Count(Count),
    /// `bench`: the bytes of a learner.
    Memory {
        /// With a log.
        stored: u32,
        /// Without one.
        streaming: u32,
    },
    /// `fan_systick`, `fan_task`: an episode is over.
    Blown(Blown),
    /// `resume`: every rule went on from every saved state; a digest of their last states.
    Resumed(Arith, u64),
    /// `replay`: so many updates are done.
    Updates(u32),
    /// All that was asked for is done.
    Done,
}

impl Message {
    /// Bytes of the longest.
    pub const MOST: usize = 96;

    /// To bytes.
    ///
    /// # Errors
    /// None with a buffer of this size.
    // Compiled here, where the firmware optimises for size.
    #[inline(never)]
    pub fn to_bytes<'b>(&self, buffer: &'b mut [u8; Self::MOST]) -> Result<&'b [u8], postcard::Error> {
        postcard::to_slice(self, buffer).map(|bytes| &*bytes)
    }

    /// Back from bytes.
    ///
    /// # Errors
    /// Where they are none of a message, or of more than one.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, postcard::Error> {
        match postcard::take_from_bytes(bytes)? {
            (message, []) => Ok(message),
            _ => Err(postcard::Error::DeserializeBadEncoding),
        }
    }
}
