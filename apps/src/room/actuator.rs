//! The serial line to the heater, which is also the clock.
//!
//! A letter out, a letter back: `B` begins an evening, `0`, `1`, `2` set the heater for a step, and [`TICK`] comes back when
//! the step is over and the thermometers say what came of it.

use embedded_io::{Read, Write};

/// Begins an evening.
pub const BEGIN: u8 = b'B';
/// A step is over.
pub const TICK: u8 = b't';

/// The line is gone, or said something that it never says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineLost;

/// A heater at the other end of a serial line.
#[derive(Debug)]
pub struct Heater<L>(pub L);

impl<L: Read + Write> Heater<L> {
    /// Begins an evening, and waits until the thermometers show it.
    ///
    /// # Errors
    /// [`LineLost`].
    pub fn begin(&mut self) -> Result<(), LineLost> {
        exchange(&mut self.0, BEGIN)
    }

    /// Sets the level for a step, and waits until the step is over.
    ///
    /// # Errors
    /// [`LineLost`].
    pub fn heat(&mut self, level: usize) -> Result<(), LineLost> {
        exchange(&mut self.0, b'0' + level as u8)
    }
}

/// Sends a letter, and waits for the [`TICK`] that answers it.
///
/// # Errors
/// [`LineLost`].
pub fn exchange(line: &mut (impl Read + Write), letter: u8) -> Result<(), LineLost> {
    line.write_all(&[letter]).and_then(|()| line.flush()).map_err(|_| LineLost)?;
    let mut answer = [0];
    line.read_exact(&mut answer).map_err(|_| LineLost)?;
    if answer == [TICK] { Ok(()) } else { Err(LineLost) }
}
