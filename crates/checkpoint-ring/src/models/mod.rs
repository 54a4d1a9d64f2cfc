//! Memory parts whose power fails at a given step, and that tear as real ones do; and a campaign that cuts it at every step.

mod campaign;
mod eeprom;
mod flash;

use std::prelude::v1::*;

use crate::{Checkpoints, Place, StoreError};

pub use campaign::{Campaign, Tried};
pub use eeprom::TornEeprom;
pub use flash::{FLASH_PAGE, TornFlash};

/// A part with checkpoints on it.
pub trait Part: Clone {
    /// Its name in a report.
    const NAME: &'static str;

    /// The longest checkpoint.
    const MOST: usize;

    /// What runs on the device after a reset.
    ///
    /// # Errors
    /// If the part is too small.
    fn boot(&mut self) -> Result<Checkpoints<impl Place>, StoreError>;

    /// Its power.
    fn power(&mut self) -> &mut Power;

    /// The most transactions in one call of [`Checkpoints`].
    ///
    /// # Errors
    /// If the part is too small.
    fn most_transactions(&mut self) -> Result<u64, StoreError>;

    /// Everything stored.
    fn cells(&mut self) -> &mut [u8];

    /// What boots: the sequence number, the bytes, and the number of damaged slots.
    ///
    /// # Errors
    /// As for [`Checkpoints::newest`].
    fn boots(&mut self) -> Result<Option<(u32, Vec<u8>, u32)>, StoreError> {
        let mut buffer = vec![0; Self::MOST];
        let found = self.boot()?.newest(&mut buffer)?.map(|found| (found.sequence, found.bytes.len(), found.damaged));
        Ok(found.map(|(sequence, length, damaged)| (sequence, buffer[..length].to_vec(), damaged)))
    }
}

/// Counts the steps, and knows in which the power fails, and how that tears what is being written.
#[derive(Clone, Debug)]
pub struct Power {
    steps: u64,
    transactions: u64,
    cut: Option<u64>,
    off: bool,
    random: Random,
}

impl Power {
    /// Power that does not fail yet.
    pub fn new(seed: u64) -> Self {
        Self { steps: 0, transactions: 0, cut: None, off: false, random: Random(seed) }
    }

    /// It fails in the step with this number, counted from here.
    pub fn cut_at(&mut self, step: u64) {
        let cut = self.steps + step;
        self.cut = Some(cut);
        // Copies of one part tear differently at different steps.
        self.random = Random(self.random.bits() ^ cut);
    }

    /// It is back, until the next [`Power::cut_at`].
    pub fn restore(&mut self) {
        (self.cut, self.off) = (None, false);
    }

    /// Steps in which it could have failed so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Transactions on the bus, or calls of the flash, so far.
    pub fn transactions(&self) -> u64 {
        self.transactions
    }

    /// The next step. Returns whether the power is there to its end.
    pub fn step(&mut self) -> bool {
        if !self.off {
            self.steps += 1;
            self.off = self.cut == Some(self.steps);
        }
        !self.off
    }
}

/// Numbers that are the same on every machine (S. Vigna's splitmix64).
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }
}
