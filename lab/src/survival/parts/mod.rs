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

    /// The power fails in the step with this number, counted from here.
    fn cut_at(&mut self, step: u64);

    /// The power is back, until the next [`Part::cut_at`].
    fn restore_power(&mut self);

    /// Steps in which the power could have failed so far.
    fn steps(&self) -> u64;

    /// Transactions on the bus, or calls of the flash, so far.
    fn transactions(&self) -> u64;

    /// The most of them in one call of [`Checkpoints`].
    ///
    /// # Errors
    /// If the part is too small.
    fn most_transactions(&mut self) -> Result<u64, StoreError>;

    /// Everything stored.
    fn cells(&mut self) -> &mut [u8];
}

/// Counts the steps, and knows in which the power fails.
#[derive(Clone, Debug, Default)]
struct Power {
    steps: u64,
    cut: Option<u64>,
    off: bool,
}

impl Power {
    /// The next step. Returns whether the power is there to its end.
    fn step(&mut self) -> bool {
        if !self.off {
            self.steps += 1;
            self.off = self.cut == Some(self.steps);
        }
        !self.off
    }

    fn cut_at(&mut self, step: u64) {
        self.cut = Some(self.steps + step);
    }

    /// How this cut tears: copies of one part tear differently at different steps.
    fn tear(&self, dice: &mut Dice) -> Dice {
        Dice::new(u64::from(dice.bits()) << 32 | self.cut.unwrap_or(0))
    }

    fn restore(&mut self) {
        (self.cut, self.off) = (None, false);
    }
}
