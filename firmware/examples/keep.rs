//! Stores one checkpoint after another in the EEPROM, to be killed while it does. The command line is their number.
#![no_std]
#![no_main]

use checkpoint_ring::{Checkpoints, EEPROM_ADDRESS, Eeprom};
use cortex_m_rt::entry;
use osculate_apps::failure::Failure;
use osculate_firmware::arguments::Arguments;
use osculate_firmware::board::mps2::Peripherals;
use osculate_firmware::{finish, report};
use osculate_programs::keep::{BYTES, run};

#[entry]
fn main() -> ! {
    finish(keep())
}

fn keep() -> Result<(), Failure> {
    let usage = Failure("arguments: NUMBER");
    let arguments = Arguments::<32>::read()?;
    let count = arguments.words().next().and_then(|word| word.parse().ok()).ok_or(usage)?;
    let Peripherals { i2c, timer, .. } = Peripherals::take().ok_or(Failure("the peripherals are in use"))?;
    run(&mut Checkpoints::new(Eeprom::new(i2c, timer, EEPROM_ADDRESS, BYTES)?), count, report)
}
