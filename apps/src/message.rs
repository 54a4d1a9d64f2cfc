//! The messages from a device to the host: one per line of its log, encoded by `postcard`.
//!
//! Numbers that are compared bit by bit are sent as bits, floats included. The rest of the log is only for people to
//! read.

use checkpoint_ring::StoreError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::boot::Boot;
use crate::fan::FanEpisode;
use crate::fault::FaultCounts;
use crate::nexting::Moment;
use crate::room::telemetry::{Evening, Known, Recorded, Start};
use crate::store::Origin;

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
    /// `room`: the faults of the sensors since the boot; the last word about an evening.
    Faults(FaultCounts),
    /// The maximum stack depth in bytes.
    Stack(u32),
    /// `nexting`: the compass reading and its prediction.
    Moment(Moment),
    /// `fan_systick`, `fan_task`: an episode is over.
    FanEpisode(FanEpisode),
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

/// The maximum size of a message in bytes.
pub const MOST: usize = 104;

/// Encodes a message.
///
/// # Errors
/// Never fails with a buffer of this size.
pub fn to_bytes<'b>(message: &impl Serialize, buffer: &'b mut [u8; MOST]) -> Result<&'b [u8], postcard::Error> {
    postcard::to_slice(message, buffer).map(|bytes| &*bytes)
}

/// Decodes a message.
///
/// # Errors
/// The bytes are not a message, or are more than one.
pub fn from_bytes<M: DeserializeOwned>(bytes: &[u8]) -> Result<M, postcard::Error> {
    match postcard::take_from_bytes(bytes)? {
        (message, []) => Ok(message),
        _ => Err(postcard::Error::DeserializeBadEncoding),
    }
}
