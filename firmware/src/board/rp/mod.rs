//! Raspberry Pi's RP2040 (Pico) and RP2350 (Pico 2).
//!
//! If an LSM303AGR answers on GP4 (SDA) and GP5 (SCL), its acceleration is predicted, otherwise the chip's own
//! temperature. The board's light is on as long as the device is surprised.

mod sensor;
mod watchdog;

use checkpoint_ring::{Budget, Checkpoints, Endurance, Flash, Life};
use embassy_rp::flash::{Blocking, Flash as Chip};
use embassy_rp::gpio::{Level, Output};
use embassy_rp::i2c::{self, I2c};
use embassy_rp::peripherals::FLASH;
use osculate_apps::failure::Failure;
use osculate_apps::nexting::device::{Device, MOST_BYTES, Sensor};

use self::sensor::PER_SECOND;
use self::watchdog::Feeder;
use super::chip::{FLASH_BYTES, STORE_BYTES};
use super::lamp::Lamp;
use crate::watchdog::Watched;
pub(crate) use watchdog::unwanted_reset;

/// The RP2040 has no unit for floats.
#[cfg(not(armv8m))]
pub type Number = osculate::Q28;
/// The RP2350 has one.
#[cfg(armv8m)]
pub type Number = f32;

/// Sectors of 4 KiB hold three checkpoints each; a W25Q endures 100 000 erases of each.
const ENDURANCE: Endurance = Endurance { cycles: 100_000, slots: STORE_BYTES / 4096 * 3 };
const LIFE: Life = Life { years: 10, samples_per_day: 86_400 * PER_SECOND };
/// Every 40 seconds.
const BUDGET: Budget = Budget::new(40 * PER_SECOND, ENDURANCE, LIFE);

type Place = Flash<Chip<'static, FLASH, Blocking, { FLASH_BYTES as usize }>, MOST_BYTES>;

/// What the board gives to the application.
pub type Pico<S> = Device<S, Lamp<Output<'static>>, Checkpoints<Place>, Watched<Feeder>>;

/// The board as a device of its own.
///
/// # Errors
/// Never; the flash is as large as it says.
pub fn device() -> Result<Pico<impl Sensor>, Failure> {
    let board = embassy_rp::init(embassy_rp::config::Config::default());
    let bus = I2c::new_blocking(board.I2C0, board.PIN_5, board.PIN_4, i2c::Config::default());
    let sensor = sensor::find(bus, board.ADC, board.ADC_TEMP_SENSOR);
    let place = Flash::new(Chip::new_blocking(board.FLASH), FLASH_BYTES - STORE_BYTES..FLASH_BYTES)?;
    Ok(Device {
        sensor,
        light: Lamp(Output::new(board.PIN_25, Level::Low)),
        keeper: Checkpoints::new(place),
        budget: BUDGET,
        supervisor: Watched::new(Feeder::start(board.WATCHDOG)),
    })
}
