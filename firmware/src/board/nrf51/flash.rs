//! The pages of flash that are not for the program.

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};

use crate::board::chip::{FLASH_BYTES, FLASH_START, STORE_BYTES};
use crate::board::registers::Registers;

/// The first byte after the program's flash.
const FROM: usize = (FLASH_START + FLASH_BYTES - STORE_BYTES) as usize;
pub(super) const SIZE: usize = STORE_BYTES as usize;
const PAGE: usize = 1024;
const WORD: usize = 4;

/// The flash controller, and its registers.
const CONTROLLER: usize = 0x4001_e000;
const READY: usize = 0x400;
const CONFIG: usize = 0x504;
const ERASE_PAGE: usize = 0x508;

/// What CONFIG allows.
#[derive(Clone, Copy)]
enum Access {
    Read = 0,
    Write = 1,
    Erase = 2,
}

/// An erase takes 22 ms, in which the processor halts as soon as it reads from flash. It is never late by that much.
const MOST_POLLS: u32 = 1_000_000;

/// The pages of the store.
#[derive(Debug)]
pub struct Flash(Registers);

/// Why the flash was not read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlashError {
    /// The range is not in it, or not aligned.
    Range(NorFlashErrorKind),
    /// The controller does not become ready.
    Busy,
}

impl Flash {
    /// The flash; `None` on every later call.
    pub fn take() -> Option<Self> {
        cortex_m::Peripherals::take()?;
        // SAFETY: this is the address in Nordic's manual, and the core's peripherals are taken only once.
        Some(Self(unsafe { Registers::at(CONTROLLER) }))
    }

    /// Changes the flash, and then makes it read-only again.
    fn change(&mut self, access: Access, change: impl FnOnce(&mut Registers)) -> Result<(), FlashError> {
        self.0.write(CONFIG, access as u32);
        change(&mut self.0);
        let is_ready = (0..MOST_POLLS).any(|_| self.0.read(READY) & 1 == 1);
        self.0.write(CONFIG, Access::Read as u32);
        if is_ready { Ok(()) } else { Err(FlashError::Busy) }
    }
}

impl NorFlashError for FlashError {
    fn kind(&self) -> NorFlashErrorKind {
        match self {
            FlashError::Range(kind) => *kind,
            FlashError::Busy => NorFlashErrorKind::Other,
        }
    }
}

impl ErrorType for Flash {
    type Error = FlashError;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), FlashError> {
        check_read(self, offset, bytes.len()).map_err(FlashError::Range)?;
        for (at, byte) in (FROM + offset as usize..).zip(bytes) {
            // SAFETY: it is within the pages, which only this driver changes; volatile, because it does.
            *byte = unsafe { (at as *const u8).read_volatile() };
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        SIZE
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = WORD;
    const ERASE_SIZE: usize = PAGE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), FlashError> {
        check_erase(self, from, to).map_err(FlashError::Range)?;
        for page in (from..to).step_by(PAGE) {
            self.change(Access::Erase, |registers| registers.write(ERASE_PAGE, FROM as u32 + page))?;
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), FlashError> {
        check_write(self, offset, bytes.len()).map_err(FlashError::Range)?;
        for (at, word) in (FROM + offset as usize..).step_by(WORD).zip(bytes.as_chunks::<WORD>().0) {
            let word = u32::from_le_bytes(*word);
            // SAFETY: it is within the pages, aligned, and the controller allows it.
            self.change(Access::Write, |_| unsafe { (at as *mut u32).write_volatile(word) })?;
        }
        Ok(())
    }
}
