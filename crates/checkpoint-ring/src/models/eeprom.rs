//! A 24x64 EEPROM.

use std::ops::Range;
use std::prelude::v1::*;

use embedded_hal::delay::DelayNs;
use embedded_hal::i2c::{ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};

use super::{Part, Power};
use crate::{Checkpoints, EEPROM_ADDRESS, EEPROM_BYTES, Eeprom, PIECE, Place, StoreError};

/// The models need no time.
struct NoTime;

impl DelayNs for NoTime {
    fn delay_ns(&mut self, _: u32) {}
}

/// A 24x64 whose power fails at a given byte on the bus, for checkpoints of up to `MOST` bytes.
///
/// Data goes to a buffer of one page, and wraps in it. At the end of the transaction the page is written, and the part
/// does not answer until it has been addressed a few times. If the power fails before the end of the transaction,
/// nothing is written; if it fails before the part answers again, the page is torn.
#[derive(Clone, Debug)]
pub struct TornEeprom<const MOST: usize> {
    cells: Vec<u8>,
    power: Power,
    /// Where the next byte is read.
    at: usize,
    /// The page that is being written, what it will hold, and how often the part will not answer.
    writing: Option<(Range<usize>, [u8; PIECE], u32)>,
    /// Writes of each page.
    pub wear: Vec<u64>,
    /// How often the part does not answer while it writes a page.
    pub busy: u32,
    /// A cell that is worn out: it keeps its contents.
    pub worn: Option<usize>,
    /// The part acknowledges writes, but ignores them.
    pub is_protected: bool,
    /// The part does not answer.
    pub is_absent: bool,
}

impl<const MOST: usize> TornEeprom<MOST> {
    /// A part as delivered: all ones.
    pub fn new(seed: u64) -> Self {
        Self {
            cells: vec![0xff; EEPROM_BYTES],
            power: Power::new(seed),
            at: 0,
            writing: None,
            wear: vec![0; EEPROM_BYTES / PIECE],
            busy: 2,
            worn: None,
            is_protected: false,
            is_absent: false,
        }
    }

    /// A byte on the bus. If the power fails in it, a page that is being written is torn.
    fn byte(&mut self) -> Result<(), ErrorKind> {
        if self.power.step() {
            return Ok(());
        }
        if let Some((page, new, _)) = self.writing.take() {
            self.tear(page, new);
        }
        Err(ErrorKind::Other)
    }

    /// A page after a torn write: each byte is old, new, erased, or anything.
    fn tear(&mut self, page: Range<usize>, new: [u8; PIECE]) {
        // Often most bytes are of one kind, so that only a few are wrong.
        let random = &mut self.power.random;
        let (mostly, one_in) = (random.below(3), 1 + random.below(PIECE));
        for (cell, new) in self.cells[page].iter_mut().zip(new) {
            let kind = if random.below(one_in) == 0 { random.below(4) } else { mostly };
            *cell = match kind {
                0 => *cell,
                1 => new,
                2 => 0xff,
                _ => random.bits() as u8,
            };
        }
    }

    fn address(&mut self, address: u8) -> Result<(), ErrorKind> {
        self.byte()?;
        let refused = Err(ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address));
        if self.is_absent || address != EEPROM_ADDRESS {
            return refused;
        }
        if let Some((page, new, busy)) = self.writing.take() {
            if busy > 0 {
                self.writing = Some((page, new, busy - 1));
                return refused;
            }
            self.wear[page.start / PIECE] += 1;
            let worn = self.worn.map(|at| (at, self.cells[at]));
            self.cells[page].copy_from_slice(&new);
            if let Some((at, cell)) = worn {
                self.cells[at] = cell;
            }
        }
        Ok(())
    }

    fn run(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        let mut page: Option<(Range<usize>, [u8; PIECE])> = None;
        for operation in operations {
            self.address(address)?;
            match operation {
                Operation::Write(bytes) => {
                    for (i, byte) in bytes.iter().enumerate() {
                        self.byte()?;
                        match i {
                            0 => self.at = usize::from(*byte) << 8 & (EEPROM_BYTES - 1),
                            1 => self.at |= usize::from(*byte),
                            _ => {
                                let start = self.at - self.at % PIECE;
                                let cells = start..start + PIECE;
                                let (_, new) = page.get_or_insert_with(|| {
                                    let mut old = [0; PIECE];
                                    old.copy_from_slice(&self.cells[cells.clone()]);
                                    (cells, old)
                                });
                                new[self.at % PIECE] = *byte;
                                self.at = start + (self.at + 1) % PIECE;
                            }
                        }
                    }
                }
                Operation::Read(bytes) => {
                    for byte in bytes.iter_mut() {
                        self.byte()?;
                        *byte = self.cells[self.at];
                        self.at = (self.at + 1) % EEPROM_BYTES;
                    }
                }
            }
        }
        if !self.is_protected {
            self.writing = page.map(|(page, new)| (page, new, self.busy));
        }
        Ok(())
    }
}

impl<const MOST: usize> ErrorType for TornEeprom<MOST> {
    type Error = ErrorKind;
}

impl<const MOST: usize> I2c for TornEeprom<MOST> {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        self.power.transactions += 1;
        self.run(address, operations)
    }
}

impl<const MOST: usize> Part for TornEeprom<MOST> {
    const NAME: &'static str = "EEPROM";
    const MOST: usize = MOST;

    fn boot(&mut self) -> Result<Checkpoints<impl Place>, StoreError> {
        Ok(Checkpoints::new(Eeprom::new(self, NoTime, EEPROM_ADDRESS, MOST)?))
    }

    fn power(&mut self) -> &mut Power {
        &mut self.power
    }

    fn most_transactions(&mut self) -> Result<u64, StoreError> {
        Ok(Eeprom::new(self, NoTime, EEPROM_ADDRESS, MOST)?.most_transactions() as u64)
    }

    fn cells(&mut self) -> &mut [u8] {
        &mut self.cells
    }
}
