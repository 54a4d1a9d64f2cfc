//! Slots in an I²C EEPROM.

use embedded_hal::delay::DelayNs;
use embedded_hal::i2c::I2c;

use crate::{OVERHEAD, PIECE, Place, StoreError};

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
    bus: I2C,
    delay: D,
    /// On the bus.
    address: u8,
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
        Ok(Self { bus, delay, address, pages })
    }

    /// The most transactions of a look at boot, or of a store: every piece of every slot is read twice, those of one
    /// slot twice more, or written and read, and each of these is tried [`TRIES`](Self::TRIES) times.
    pub fn most_transactions(&self) -> usize {
        (2 * self.slots() + 2) * self.pages * TRIES
    }

    fn attempt(
        &mut self,
        mut transaction: impl FnMut(&mut I2C, u8) -> Result<(), I2C::Error>,
    ) -> Result<(), StoreError> {
        for _ in 1..TRIES {
            if transaction(&mut self.bus, self.address).is_ok() {
                return Ok(());
            }
            self.delay.delay_ms(BETWEEN_TRIES_MS);
        }
        transaction(&mut self.bus, self.address).map_err(|_| StoreError::Silent)
    }

    /// The two bytes that a transaction begins with: the address of a page, the upper half first.
    fn page(&self, slot: usize, piece: usize) -> [u8; 2] {
        let page = slot.saturating_mul(self.pages).saturating_add(piece);
        (page.saturating_mul(PIECE) as u16).to_be_bytes()
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
        let page = self.page(slot, piece);
        self.attempt(|bus, address| bus.write_read(address, &page, bytes))
    }

    fn claim(&mut self, _: usize, _: Option<usize>) -> Result<bool, StoreError> {
        // Slots share no pages, and a page needs no erasing.
        Ok(true)
    }

    fn write(&mut self, slot: usize, piece: usize, bytes: &[u8; PIECE]) -> Result<(), StoreError> {
        let mut message = [0; 2 + PIECE];
        for (to, from) in message.iter_mut().zip(self.page(slot, piece).iter().chain(bytes)) {
            *to = *from;
        }
        self.attempt(|bus, address| bus.write(address, &message))
    }
}
