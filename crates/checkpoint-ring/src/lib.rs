#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "models")]
extern crate std;

mod budget;
mod checkpoints;
mod eeprom;
mod flash;
#[cfg(feature = "models")]
pub mod models;
mod record;

pub use budget::{Budget, Endurance, Life, TooOften};
pub use checkpoints::{Checkpoint, Checkpoints};
pub use eeprom::{EEPROM_ADDRESS, EEPROM_BYTES, Eeprom};
pub use flash::Flash;
pub use record::OVERHEAD;

/// The bytes that are read and written together. A page of the EEPROM, and whole words of any flash.
pub const PIECE: usize = 32;

/// Where checkpoints are kept: a ring of slots, each of which holds one record.
pub trait Place {
    /// The number of slots, at least 2.
    fn slots(&self) -> usize;

    /// The number of pieces in a slot.
    fn pieces(&self) -> usize;

    /// Reads a piece of a slot.
    ///
    /// # Errors
    /// [`StoreError::Silent`] if the part does not answer.
    fn read(&mut self, slot: usize, piece: usize, bytes: &mut [u8; PIECE]) -> Result<(), StoreError>;

    /// Makes a slot ready to be written from its first piece on, without touching the slot to keep. Returns whether
    /// that is possible.
    ///
    /// # Errors
    /// [`StoreError::Silent`] if the part does not answer.
    fn claim(&mut self, slot: usize, keep: Option<usize>) -> Result<bool, StoreError>;

    /// Writes a piece of a claimed slot.
    ///
    /// # Errors
    /// [`StoreError::Silent`] if the part does not answer.
    fn write(&mut self, slot: usize, piece: usize, bytes: &[u8; PIECE]) -> Result<(), StoreError>;
}

/// Why nothing was stored or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StoreError {
    /// The part does not answer, or reports a failure.
    Silent,
    /// The part reads back something else than what was written.
    NotKept,
    /// The checkpoint is longer than a slot, or than the buffer to read it into.
    TooLong,
    /// The part has no room for two slots.
    NoPlace,
}

impl StoreError {
    /// The reason, as text for the log.
    pub const fn text(self) -> &'static str {
        match self {
            StoreError::Silent => "the memory for checkpoints does not answer",
            StoreError::NotKept => "the memory for checkpoints does not keep what is written",
            StoreError::TooLong => "the checkpoint is too long for its memory",
            StoreError::NoPlace => "the memory has no room for two checkpoints",
        }
    }
}

impl core::fmt::Display for StoreError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text())
    }
}

impl core::error::Error for StoreError {}
