//! The serial line to what surrounds a device: a heater, a wheel. It is also the clock.
//!
//! A [`Request`] out, an [`Answer`] back when the world has got so far: each in the bytes of `postcard`, as a COBS frame, so
//! that a zero ends it.

use embedded_io::{Read, Write};
use postcard::accumulator::{CobsAccumulator, FeedResult};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Bytes of a frame, at the most.
pub const MOST: usize = 8;

/// What a device asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// Begin an evening.
    Begin,
    /// Heat at this level for a step.
    Heat(u8),
    /// Turn the wheel.
    Turn,
}

/// What comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The step is over, and the sensors show what came of it.
    Over,
}

/// The line is gone, or said something that it never says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineLost;

impl core::fmt::Display for LineLost {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the serial line is gone, or says what it never says")
    }
}

impl core::error::Error for LineLost {}

/// To a frame.
///
/// # Errors
/// [`LineLost`] where it is longer than [`MOST`]; none of ours is.
pub fn frame<'b>(message: &impl Serialize, buffer: &'b mut [u8; MOST]) -> Result<&'b [u8], LineLost> {
    postcard::to_slice_cobs(message, buffer).map(|frame| &*frame).map_err(|_| LineLost)
}

/// Puts frames together from the bytes of a line.
pub struct Frames(CobsAccumulator<MOST>);

impl Frames {
    /// At the start of a frame.
    pub const fn new() -> Self {
        Self(CobsAccumulator::new())
    }

    /// Takes the next byte; what it completes, if it does.
    ///
    /// # Errors
    /// [`LineLost`] where a frame makes no sense.
    pub fn push<T: DeserializeOwned>(&mut self, byte: u8) -> Result<Option<T>, LineLost> {
        match self.0.feed(&[byte]) {
            FeedResult::Consumed => Ok(None),
            FeedResult::Success { data, .. } => Ok(Some(data)),
            FeedResult::OverFull(_) | FeedResult::DeserError(_) => Err(LineLost),
        }
    }
}

impl core::fmt::Debug for Frames {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Frames").finish_non_exhaustive()
    }
}

impl Default for Frames {
    fn default() -> Self {
        Self::new()
    }
}

/// Asks for something, and waits until it is over.
///
/// # Errors
/// [`LineLost`].
pub fn exchange(line: &mut (impl Read + Write), request: Request) -> Result<(), LineLost> {
    let mut buffer = [0; MOST];
    let request = request.to_frame(&mut buffer)?;
    line.write_all(request).and_then(|()| line.flush()).map_err(|_| LineLost)?;
    let mut frames = Frames::new();
    let mut byte = [0];
    loop {
        line.read_exact(&mut byte).map_err(|_| LineLost)?;
        match frames.push_answer(byte[0])? {
            Some(Answer::Over) => return Ok(()),
            None => {}
        }
    }
}

// Compiled here, where the firmware optimises for size.
impl Request {
    #[inline(never)]
    fn to_frame(self, buffer: &mut [u8; MOST]) -> Result<&[u8], LineLost> {
        frame(&self, buffer)
    }
}

impl Frames {
    #[inline(never)]
    fn push_answer(&mut self, byte: u8) -> Result<Option<Answer>, LineLost> {
        self.push(byte)
    }
}
