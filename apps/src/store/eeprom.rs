//! Slots in an I²C EEPROM.

use eeprom24x::{Eeprom24x, SlaveAddr, addr_size, page_size, unique_serial};
use embedded_hal::delay::DelayNs;
use embedded_hal::i2c::I2c;

use super::{OVERHEAD, PIECE, Place, StoreError};

/// Bytes of a 24x64.
pub const EEPROM_BYTES: usize = 8192;
/// Its address, unless its pins say otherwise.
pub const EEPROM_ADDRESS: u8 = 0x50;
const PAGES: usize = EEPROM_BYTES / PIECE;

/// The pages of a slot for checkpoints of up to this many bytes.
const fn pages(bytes: usize) -> usize {
    bytes.saturating_add(OVERHEAD).div_ceil(PIECE)
}

/// The slots for checkpoints of up to this many bytes.
pub(super) const fn slots(bytes: usize) -> usize {
    PAGES / pages(bytes)
}

/// While it writes a page, the part does not answer for 5 ms, 10 ms if it is old and cold. A reset may come in the
/// middle of that, so reads wait for it, too.
const TRIES: usize = 11;
const BETWEEN_TRIES_MS: u32 = 1;

/// A 24x64: 8 KiB in pages of 32 bytes, each good for a million writes.
///
/// Every transaction is at most 36 bytes long, and tried up to [11](Self::TRIES) times, 1 ms apart. The first one that
/// fails every time ends what is going on, so an absent part costs 11 transactions. Page writes go to whole pages:
/// parts rewrite a page as a whole, so a torn write may damage all of it.
#[derive(Debug)]
pub struct Eeprom<I2C, D> {
    part: Eeprom24x<I2C, page_size::B32, addr_size::TwoBytes, unique_serial::No>,
    delay: D,
    /// Pages of a slot.
    pages: usize,
}

impl<I2C: I2c, D: DelayNs> Eeprom<I2C, D> {
    /// How often a transaction is tried.
    pub const TRIES: usize = TRIES;

    /// The part with this address, 0x50 to 0x57, divided into slots for checkpoints of up to this many bytes.
    ///
    /// # Errors
    /// [`StoreError::NoPlace`] if there is no room for two slots.
    pub fn new(bus: I2C, delay: D, address: u8, bytes: usize) -> Result<Self, StoreError> {
        let pages = pages(bytes);
        if pages > PAGES / 2 {
            return Err(StoreError::NoPlace);
        }
        let pin = |n: u8| address >> n & 1 == 1;
        let part = Eeprom24x::new_24x64(bus, SlaveAddr::Alternative(pin(2), pin(1), pin(0)));
        Ok(Self { part, delay, pages })
    }

    /// The most transactions of a look at boot, or of a store: every piece of every slot is read twice, those of one
    /// slot twice more, or written and read, and each of these is tried [`TRIES`](Self::TRIES) times.
    pub fn most_transactions(&self) -> usize {
        (2 * self.slots() + 2) * self.pages * TRIES
    }

    fn attempt<T>(
        &mut self,
        mut transaction: impl FnMut(&mut Self) -> Result<T, eeprom24x::Error<I2C::Error>>,
    ) -> Result<T, StoreError> {
        for _ in 1..TRIES {
            if let Ok(done) = transaction(self) {
                return Ok(done);
            }
            self.delay.delay_ms(BETWEEN_TRIES_MS);
        }
        transaction(self).map_err(|_| StoreError::Silent)
    }

    fn address(&self, slot: usize, piece: usize) -> u32 {
        (slot.saturating_mul(self.pages).saturating_add(piece) as u32).saturating_mul(PIECE as u32)
    }
}

impl<I2C: I2c, D: DelayNs> Place for Eeprom<I2C, D> {
    fn slots(&self) -> usize {
        PAGES.checked_div(self.pages).unwrap_or(0)
    }

    fn pieces(&self) -> usize {
        self.pages
    }

    fn read(&mut self, slot: usize, piece: usize, bytes: &mut [u8; PIECE]) -> Result<(), StoreError> {
        let address = self.address(slot, piece);
        self.attempt(|eeprom| eeprom.part.read_data(address, bytes))
    }

    fn claim(&mut self, _: usize, _: Option<usize>) -> Result<bool, StoreError> {
        // Slots share no pages, and a page needs no erasing.
        Ok(true)
    }

    fn write(&mut self, slot: usize, piece: usize, bytes: &[u8; PIECE]) -> Result<(), StoreError> {
        let address = self.address(slot, piece);
        self.attempt(|eeprom| eeprom.part.write_page(address, bytes))
    }
}
