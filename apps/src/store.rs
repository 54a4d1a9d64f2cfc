//! Checkpoints, as an application sees them: who keeps them, and where a learner starts from after a boot.

use checkpoint_ring::{Checkpoint, Checkpoints, Place, StoreError};
use osculate::StateError;
use serde::{Deserialize, Serialize};

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

/// Where a learner starts from: a checkpoint, or else what it was built with, and why.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Origin {
    /// The newest complete checkpoint; its number.
    Checkpoint(u32),
    /// Nothing was ever stored, or nothing complete is left.
    NothingStored,
    /// The newest checkpoint was refused, for this reason.
    Refused(StateError),
    /// The store cannot be read.
    Unreadable(StoreError),
}

impl Origin {
    /// Looks for the newest checkpoint and lets the learner restore it. Returns also what `restore` returns, if it accepts
    /// the bytes.
    pub fn find<T>(
        keeper: &mut impl Keeper,
        buffer: &mut [u8],
        restore: impl FnOnce(&[u8]) -> Result<T, StateError>,
    ) -> (Self, Option<T>) {
        match keeper.newest(buffer) {
            Ok(None) => (Self::NothingStored, None),
            Ok(Some(checkpoint)) => match restore(checkpoint.bytes) {
                Ok(restored) => (Self::Checkpoint(checkpoint.sequence), Some(restored)),
                Err(error) => (Self::Refused(error), None),
            },
            Err(error) => (Self::Unreadable(error), None),
        }
    }

    /// Whether the store could not be read. Nothing must be stored then: what it holds may be worth more.
    pub fn is_unreadable(self) -> bool {
        matches!(self, Self::Unreadable(_))
    }

    /// Whether it is a checkpoint; `None` if one that was stored completely is lost. `stored` is the number of the last one.
    pub fn is_no_older_than(self, stored: Option<u32>) -> Option<bool> {
        match (self, stored) {
            (Self::Checkpoint(sequence), Some(last)) => (sequence >= last).then_some(true),
            (Self::Checkpoint(_), None) => Some(true),
            (_, None) => Some(false),
            // It was not overwritten, so it may be read the next time.
            (Self::Unreadable(_), Some(_)) => Some(false),
            (_, Some(_)) => None,
        }
    }
}
