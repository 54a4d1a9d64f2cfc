//! Stores one checkpoint after another, to be killed while it does, and looks for the last one as after a reset: in the
//! EEPROM, or in the flash of a chip. The command line is their number.
#![no_std]
#![no_main]

use checkpoint_ring::{Checkpoints, Place};
#[cfg(feature = "sensors")]
use checkpoint_ring::{EEPROM_ADDRESS, Eeprom};
use cortex_m_rt::entry;
use osculate_apps::failure::Failure;
use osculate_firmware::arguments::Arguments;
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
    let mut checkpoints = Checkpoints::new(place()?);
    run(&mut checkpoints, count, report)?;
    run(&mut checkpoints, 0, report)
}

#[cfg(feature = "sensors")]
fn place() -> Result<impl Place, Failure> {
    let board = osculate_firmware::board::mps2::Peripherals::take().ok_or(Failure("the peripherals are in use"))?;
    Ok(Eeprom::new(board.i2c, board.timer, EEPROM_ADDRESS, BYTES)?)
}

#[cfg(feature = "flash")]
fn place() -> Result<impl Place, Failure> {
    let flash = osculate_firmware::board::nrf51::Flash::take().ok_or(Failure("the flash is taken"))?;
    Ok(checkpoint_ring::Flash::<_, BYTES>::new(flash, 0..0x1000)?)
}
