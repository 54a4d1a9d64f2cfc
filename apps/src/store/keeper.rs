//! Who keeps checkpoints.

use super::{Checkpoint, Checkpoints, Place, StoreError};

/// Keeps checkpoints across power cuts.
pub trait Keeper {
    /// The newest complete checkpoint, copied into the buffer.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    fn newest<'b>(&mut self, buffer: &'b mut [u8]) -> Result<Option<Checkpoint<'b>>, StoreError>;

    /// Stores another one. Returns its number.
    ///
    /// # Errors
    /// [`StoreError`] if it is not kept; the one before still is.
    fn store(&mut self, bytes: &[u8]) -> Result<u32, StoreError>;
}

impl<P: Place> Keeper for Checkpoints<P> {
    fn newest<'b>(&mut self, buffer: &'b mut [u8]) -> Result<Option<Checkpoint<'b>>, StoreError> {
        Checkpoints::newest(self, buffer)
    }

    fn store(&mut self, bytes: &[u8]) -> Result<u32, StoreError> {
        Checkpoints::store(self, bytes)
    }
}

/// Keeps nothing: every boot is the first.
#[derive(Clone, Copy, Debug)]
pub struct Forgetful;

impl Keeper for Forgetful {
    fn newest<'b>(&mut self, _: &'b mut [u8]) -> Result<Option<Checkpoint<'b>>, StoreError> {
        Ok(None)
    }

    fn store(&mut self, _: &[u8]) -> Result<u32, StoreError> {
        Err(StoreError::NoPlace)
    }
}
