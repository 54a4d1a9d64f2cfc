//! Memory parts whose power fails at a given step, and that tear as real ones do.

mod eeprom;
mod flash;

use osculate_apps::store::{Checkpoints, Place, StoreError};

use crate::dice::Dice;

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
    fn power(&self) -> &Power;

    /// Its power, to be cut.
    fn power_mut(&mut self) -> &mut Power;

    /// The power fails in the step with this number, counted from here.
    fn cut_at(&mut self, step: u64) {
        self.power_mut().cut_at(step);
    }

    /// The power is back, until the next [`Part::cut_at`].
    fn restore_power(&mut self) {
        let power = self.power_mut();
        (power.cut, power.off) = (None, false);
    }

    /// Steps in which the power could have failed so far.
    fn steps(&self) -> u64 {
        self.power().steps
    }

    /// Transactions on the bus, or calls of the flash, so far.
    fn transactions(&self) -> u64 {
        self.power().transactions
    }

    /// The most of them in one call of [`Checkpoints`].
    ///
    /// # Errors
    /// If the part is too small.
    fn most_transactions(&mut self) -> Result<u64, StoreError>;

    /// Everything stored.
    fn cells(&mut self) -> &mut [u8];
}

/// Counts the steps, and knows in which the power fails, and how that tears what is being written.
#[derive(Clone, Debug)]
pub struct Power {
    steps: u64,
    transactions: u64,
    cut: Option<u64>,
    off: bool,
    dice: Dice,
}

impl Power {
    fn new(seed: u64) -> Self {
        Self { steps: 0, transactions: 0, cut: None, off: false, dice: Dice::new(seed) }
    }

    /// The next step. Returns whether the power is there to its end.
    fn step(&mut self) -> bool {
        if !self.off {
            self.steps += 1;
            self.off = self.cut == Some(self.steps);
        }
        !self.off
    }

    fn cut_at(&mut self, step: u64) {
        let cut = self.steps + step;
        self.cut = Some(cut);
        // Copies of one part tear differently at different steps.
        self.dice = Dice::new(u64::from(self.dice.bits()) << 32 | cut);
    }
}
