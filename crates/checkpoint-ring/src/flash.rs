//! Slots in NOR flash.

use core::ops::Range;

use embedded_storage::nor_flash::NorFlash;

use crate::{OVERHEAD, PIECE, Place, StoreError};

/// A range of flash, divided into slots for checkpoints of up to `BYTES` bytes.
///
/// As many slots as fit share a page; a longer slot has pages of its own. The first slot of a page erases it before it
/// is written, the others are written only while they are blank. So every word is written at most once after an
/// erase, a page whose erase was torn is erased again, and a slot whose write was torn is passed over.
#[derive(Debug)]
pub struct Flash<F, const BYTES: usize> {
    flash: F,
    from: u32,
    slots: usize,
}

impl<F: NorFlash, const BYTES: usize> Flash<F, BYTES> {
    /// Pieces of a slot.
    const PIECES: usize = (BYTES + OVERHEAD).div_ceil(PIECE);
    const SLOT: usize = Self::PIECES * PIECE;
    /// Bytes that are erased together.
    const BLOCK: usize = Self::SLOT.next_multiple_of(F::ERASE_SIZE);
    /// Slots of a block.
    const SHARING: usize = Self::BLOCK / Self::SLOT;

    /// The flash in a range of offsets, whole pages.
    ///
    /// # Errors
    /// [`StoreError::NoPlace`] if the range does not consist of pages, if it has fewer than two blocks of slots, if it
    /// is not within the flash, or if 32 bytes are no whole number of words.
    pub fn new(flash: F, range: Range<u32>) -> Result<Self, StoreError> {
        let (from, to) = (range.start as usize, range.end as usize);
        let is_whole = from.is_multiple_of(F::ERASE_SIZE) && to.is_multiple_of(F::ERASE_SIZE);
        let has_words = PIECE.is_multiple_of(F::WRITE_SIZE) && PIECE.is_multiple_of(F::READ_SIZE);
        let blocks = to.saturating_sub(from) / Self::BLOCK;
        if !is_whole || !has_words || blocks < 2 || to > flash.capacity() {
            return Err(StoreError::NoPlace);
        }
        Ok(Self { flash, from: range.start, slots: blocks * Self::SHARING })
    }

    fn address(&self, slot: usize, piece: usize) -> u32 {
        let start = slot / Self::SHARING * Self::BLOCK + slot % Self::SHARING * Self::SLOT;
        self.from + (start + piece * PIECE) as u32
    }

    fn is_blank(&mut self, slot: usize) -> Result<bool, StoreError> {
        let mut bytes = [0; PIECE];
        for piece in 0..Self::PIECES {
            self.read(slot, piece, &mut bytes)?;
            if bytes != [0xff; PIECE] {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl<F: NorFlash, const BYTES: usize> Place for Flash<F, BYTES> {
    fn slots(&self) -> usize {
        self.slots
    }

    fn pieces(&self) -> usize {
        Self::PIECES
    }

    fn read(&mut self, slot: usize, piece: usize, bytes: &mut [u8; PIECE]) -> Result<(), StoreError> {
        self.flash.read(self.address(slot, piece), bytes).map_err(|_| StoreError::Silent)
    }

    fn claim(&mut self, slot: usize, keep: Option<usize>) -> Result<bool, StoreError> {
        let block = slot / Self::SHARING;
        if !slot.is_multiple_of(Self::SHARING) {
            return self.is_blank(slot);
        }
        if keep.is_some_and(|keep| keep / Self::SHARING == block) {
            return Ok(false);
        }
        let from = self.address(slot, 0);
        self.flash.erase(from, from + Self::BLOCK as u32).map_err(|_| StoreError::Silent)?;
        Ok(true)
    }

    fn write(&mut self, slot: usize, piece: usize, bytes: &[u8; PIECE]) -> Result<(), StoreError> {
        self.flash.write(self.address(slot, piece), bytes).map_err(|_| StoreError::Silent)
    }
}
