//! The serial line between a device and its environment: a heater, a wheel. It is also the clock.
//!
//! The device sends a [`Request`] and receives an [`Answer`] when the step is over. Each is encoded by `postcard` as a
//! COBS frame, so a zero ends it.

use embedded_io::{Read, Write};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The maximum size of a frame in bytes.
pub const MOST: usize = 12;

/// A request from a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// Begin the evening of this number, counted from 1.
    Begin(u32),
    /// Heat at this level for a step.
    Heat(u8),
    /// Turn the wheel.
    Turn,
    /// Turn the wheel, and say what a compass beside it shows: for boards whose emulator has no bus.
    Sample,
}

/// An answer from the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The step is over, and the sensors show its result.
    Over,
    /// The evening of this number has begun.
    Begun(u32),
    /// What the sensor shows, in 1/1024.
    Sampled([i16; 2]),
    /// There will be no more steps.
    End,
}

/// The line is lost, or sent something invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineLost;

impl LineLost {
    /// The same in words.
    pub const TEXT: &str = "the serial line is closed, or sent something invalid";
}

impl core::fmt::Display for LineLost {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(Self::TEXT)
    }
}

impl core::error::Error for LineLost {}

/// Encodes a message as a frame.
///
/// # Errors
/// [`LineLost`] if it is longer than [`MOST`]; ours never are.
pub fn frame<'b>(message: &impl Serialize, buffer: &'b mut [u8; MOST]) -> Result<&'b [u8], LineLost> {
    let mut bytes = [0; MOST];
    let message = postcard::to_slice(message, &mut bytes).map_err(|_| LineLost)?;
    let length = stuff(message, buffer).ok_or(LineLost)?;
    buffer.get(..length).ok_or(LineLost)
}

/// Assembles frames from the bytes of a line. `postcard` knows frames, too, but brings panics with them.
pub struct Frames {
    bytes: [u8; MOST],
    length: usize,
}

impl Frames {
    /// At the start of a frame.
    pub const fn new() -> Self {
        Self { bytes: [0; MOST], length: 0 }
    }

    /// Takes the next byte. Returns the message that it completes, if any.
    ///
    /// # Errors
    /// [`LineLost`] if a frame is invalid.
    pub fn push<T: DeserializeOwned>(&mut self, byte: u8) -> Result<Option<T>, LineLost> {
        if byte != 0 {
            // The last place is for the zero, so a frame without one is too long by now.
            let place = self.bytes.get_mut(self.length).filter(|_| self.length < MOST - 1);
            let Some(place) = place else {
                self.length = 0;
                return Err(LineLost);
            };
            *place = byte;
            self.length += 1;
            return Ok(None);
        }
        let frame = self.bytes.get(..core::mem::take(&mut self.length)).ok_or(LineLost)?;
        let mut message = [0; MOST];
        let length = unstuff(frame, &mut message).ok_or(LineLost)?;
        let message = message.get(..length).ok_or(LineLost)?;
        postcard::from_bytes(message).map(Some).map_err(|_| LineLost)
    }
}

/// COBS: a run of bytes without a zero follows its length plus one, and a zero ends the frame. Returns the frame's length;
/// `None` if it is too long. (Runs are shorter than a frame, which is shorter than the longest run.)
fn stuff(message: &[u8], frame: &mut [u8; MOST]) -> Option<usize> {
    let mut length = 0;
    let mut put = |byte: u8| {
        *frame.get_mut(length)? = byte;
        length += 1;
        Some(())
    };
    for run in message.split(|byte| *byte == 0) {
        put(u8::try_from(run.len()).ok()? + 1)?;
        run.iter().try_for_each(|byte| put(*byte))?;
    }
    put(0)?;
    Some(length)
}

/// Undoes COBS: a byte counts the bytes up to where a zero was. Returns the length; `None` if the frame is invalid.
fn unstuff(mut frame: &[u8], message: &mut [u8; MOST]) -> Option<usize> {
    let mut length = 0;
    while let Some((count, rest)) = frame.split_first() {
        let (run, next) = rest.split_at_checked(usize::from(*count).checked_sub(1)?)?;
        for byte in run {
            *message.get_mut(length)? = *byte;
            length += 1;
        }
        if !next.is_empty() {
            *message.get_mut(length)? = 0;
            length += 1;
        }
        frame = next;
    }
    Some(length)
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

/// Sends a request and waits until the step is over.
///
/// # Errors
/// [`LineLost`].
pub fn exchange(line: &mut (impl Read + Write), request: Request) -> Result<(), LineLost> {
    ask(line, request)?;
    wait(line, request.answer())
}

/// Sends a request.
///
/// # Errors
/// [`LineLost`].
pub fn ask(line: &mut impl Write, request: Request) -> Result<(), LineLost> {
    let mut buffer = [0; MOST];
    let request = request.to_frame(&mut buffer)?;
    line.write_all(request).and_then(|()| line.flush()).map_err(|_| LineLost)
}

/// Waits for an answer. Others are skipped: after a reset, the answer to what was asked before may still arrive, or the
/// end of its frame.
///
/// # Errors
/// [`LineLost`] if the line is closed.
pub fn wait(line: &mut impl Read, expected: Answer) -> Result<(), LineLost> {
    wait_for(line, |answer| (answer == expected).then_some(()))
}

/// Waits for an answer that is `wanted`, and skips others.
///
/// # Errors
/// [`LineLost`] if the line is closed.
pub fn wait_for<T>(line: &mut impl Read, wanted: impl Fn(Answer) -> Option<T>) -> Result<T, LineLost> {
    let mut frames = Frames::new();
    let mut byte = [0];
    loop {
        line.read_exact(&mut byte).map_err(|_| LineLost)?;
        if let Ok(Some(answer)) = frames.push_answer(byte[0])
            && let Some(wanted) = wanted(answer)
        {
            return Ok(wanted);
        }
    }
}

impl Request {
    /// The answer to it, unless that carries a reading.
    pub fn answer(self) -> Answer {
        match self {
            Request::Begin(evening) => Answer::Begun(evening),
            Request::Heat(_) | Request::Turn | Request::Sample => Answer::Over,
        }
    }
}

// Compiled in this crate, because the firmware optimises for size.
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
