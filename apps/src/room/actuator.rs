//! The heater at the other end of a serial line.

use embedded_io::{Read, Write};

use crate::line::{LineLost, Request, exchange};

/// A heater, by the line to it.
#[derive(Debug)]
pub struct Heater<L>(pub L);

impl<L: Read + Write> Heater<L> {
    /// Begins an evening, and waits until the thermometers show it.
    ///
    /// # Errors
    /// [`LineLost`].
    pub fn begin(&mut self) -> Result<(), LineLost> {
        exchange(&mut self.0, Request::Begin)
    }

    /// Sets the level for a step, and waits until the step is over.
    ///
    /// # Errors
    /// [`LineLost`].
    pub fn heat(&mut self, level: usize) -> Result<(), LineLost> {
        exchange(&mut self.0, Request::Heat(level as u8))
    }
}
