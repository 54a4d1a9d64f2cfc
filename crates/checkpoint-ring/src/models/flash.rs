//! NOR flash, as in an nRF51.

use std::prelude::v1::*;

use embedded_storage::nor_flash::{
    ErrorType, MultiwriteNorFlash, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};

use super::{Part, Power};
use crate::{Checkpoints, Flash, Place, StoreError};

/// Bytes that are erased together.
pub const FLASH_PAGE: usize = 1024;
const WORD: usize = 4;

/// The steps of an erase in which the power can fail.
const ERASE_STEPS: u64 = 16;

/// Some pages of flash whose power fails at a given byte or within an erase, for checkpoints of up to `MOST` bytes.
///
/// A write only clears bits. If the power fails within a word, some of its bits are cleared that should be; if it
/// fails within an erase, some of the page's bits are set. After that every access fails until the power is back.
#[derive(Clone, Debug)]
pub struct TornFlash<const MOST: usize> {
    cells: Vec<u8>,
    power: Power,
    /// Erases of each page.
    pub wear: Vec<u64>,
    /// Words that were written again without an erase.
    pub rewritten: u64,
    written: Vec<bool>,
}

impl<const MOST: usize> TornFlash<MOST> {
    /// So many erased pages.
    pub fn new(pages: usize, seed: u64) -> Self {
        Self {
            cells: vec![0xff; pages * FLASH_PAGE],
            power: Power::new(seed),
            wear: vec![0; pages],
            rewritten: 0,
            written: vec![false; pages * FLASH_PAGE / WORD],
        }
    }

    fn begin(&mut self) -> Result<(), NorFlashErrorKind> {
        self.power.transactions += 1;
        if self.power.off { Err(NorFlashErrorKind::Other) } else { Ok(()) }
    }

    fn erase_page(&mut self, page: usize) -> Result<(), NorFlashErrorKind> {
        let from = page * FLASH_PAGE;
        let done = (0..ERASE_STEPS).position(|_| !self.power.step());
        let cells = &mut self.cells[from..from + FLASH_PAGE];
        let Some(done) = done else {
            cells.fill(0xff);
            self.written[from / WORD..(from + FLASH_PAGE) / WORD].fill(false);
            self.wear[page] += 1;
            return Ok(());
        };
        // Bits are set anywhere, from the first cell on, or from the last.
        let random = &mut self.power.random;
        let kind = random.below(3);
        let reach = (FLASH_PAGE * (done + 1)).div_ceil(ERASE_STEPS as usize);
        for (i, cell) in cells.iter_mut().enumerate() {
            let set = match kind {
                0 => (0..8).map(|bit| u8::from(random.below(ERASE_STEPS as usize) <= done) << bit).sum(),
                1 if i < reach => 0xff,
                2 if i >= FLASH_PAGE - reach => 0xff,
                _ => 0,
            };
            *cell |= set;
        }
        Err(NorFlashErrorKind::Other)
    }
}

impl<const MOST: usize> ErrorType for TornFlash<MOST> {
    type Error = NorFlashErrorKind;
}

impl<const MOST: usize> ReadNorFlash for TornFlash<MOST> {
    const READ_SIZE: usize = WORD;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        check_read(self, offset, bytes.len())?;
        self.begin()?;
        bytes.copy_from_slice(&self.cells[offset as usize..][..bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.cells.len()
    }
}

impl<const MOST: usize> NorFlash for TornFlash<MOST> {
    const WRITE_SIZE: usize = WORD;
    const ERASE_SIZE: usize = FLASH_PAGE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        check_erase(self, from, to)?;
        self.begin()?;
        (from as usize / FLASH_PAGE..to as usize / FLASH_PAGE).try_for_each(|page| self.erase_page(page))
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        check_write(self, offset, bytes.len())?;
        self.begin()?;
        for (i, word) in bytes.chunks_exact(WORD).enumerate() {
            let at = offset as usize + i * WORD;
            let is_whole = (0..WORD).all(|_| self.power.step());
            if std::mem::replace(&mut self.written[at / WORD], true) {
                self.rewritten += 1;
            }
            for (cell, byte) in self.cells[at..at + WORD].iter_mut().zip(word) {
                *cell &= if is_whole { *byte } else { *byte | self.power.random.bits() as u8 };
            }
            if !is_whole {
                return Err(NorFlashErrorKind::Other);
            }
        }
        Ok(())
    }
}

impl<const MOST: usize> MultiwriteNorFlash for TornFlash<MOST> {}

impl<const MOST: usize> Part for TornFlash<MOST> {
    const NAME: &'static str = "flash";
    const MOST: usize = MOST;

    fn boot(&mut self) -> Result<Checkpoints<impl Place>, StoreError> {
        let range = 0..self.cells.len() as u32;
        Ok(Checkpoints::new(Flash::<_, MOST>::new(self, range)?))
    }

    fn power(&mut self) -> &mut Power {
        &mut self.power
    }

    fn most_transactions(&mut self) -> Result<u64, StoreError> {
        let range = 0..self.cells.len() as u32;
        let place = Flash::<_, MOST>::new(self, range)?;
        // Every slot is read twice and looked at once for being blank; one is written and read, or read twice.
        Ok(((3 * place.slots() + 2) * place.pieces() + 1) as u64)
    }

    fn cells(&mut self) -> &mut [u8] {
        &mut self.cells
    }
}
