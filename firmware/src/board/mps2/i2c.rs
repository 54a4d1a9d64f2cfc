//! The lines of the I²C bus, which is bit-banged.

use osculate_apps::bus::{BitBanged, Levels, Lines};

use crate::board::registers::Registers;

/// A read returns the level of the data line, and the clock as it is driven here: QEMU's devices never hold it low.
/// A write releases the lines whose bits are 1.
const RELEASE: usize = 0;
/// A write pulls the lines low whose bits are 1.
const PULL: usize = 4;
const CLOCK: u32 = 1;
const DATA: u32 = 2;
/// Reads of a clock that is held low, per transaction: about a millisecond at 25 MHz.
const PATIENCE: u32 = 2500;

/// The bus, as its only master.
pub type I2c = BitBanged<Wires>;

/// Clock and data line.
#[derive(Debug)]
pub struct Wires(Registers);

pub(super) fn i2c(registers: Registers) -> I2c {
    BitBanged::new(Wires(registers), PATIENCE)
}

impl Lines for Wires {
    fn release_clock(&mut self) {
        self.0.write(RELEASE, CLOCK);
    }

    fn pull_clock(&mut self) {
        self.0.write(PULL, CLOCK);
    }

    fn release_data(&mut self) {
        self.0.write(RELEASE, DATA);
    }

    fn pull_data(&mut self) {
        self.0.write(PULL, DATA);
    }

    fn levels(&mut self) -> Levels {
        let levels = self.0.read(RELEASE);
        Levels { clock: levels & CLOCK != 0, data: levels & DATA != 0 }
    }
}
