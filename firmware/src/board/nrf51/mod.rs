//! Nordic's nRF51822, the chip of the micro:bit v1.
//!
//! Its sensor is at the other end of the serial line: QEMU has no working I²C on this chip.

mod flash;
mod lamp;
mod uart;

use checkpoint_ring::{Budget, Checkpoints, Endurance, Life};
use osculate_apps::failure::Failure;
use osculate_apps::nexting::device::{Device, MOST_BYTES};

use super::line::{Line, LineSensor};
use super::registers::Registers;
use crate::watchdog::{NoTimer, Watched};

pub use flash::{Flash, FlashError};
pub use lamp::Lamp;
pub use uart::Uart;

pub(crate) use super::nordic_reset::unwanted_reset;

/// The core has no unit for floats.
pub type Number = osculate::Q28;

/// A checkpoint takes two pages of 1 KiB.
const ENDURANCE: Endurance = Endurance { cycles: 10_000, slots: flash::SIZE as u32 / 2048 };
const LIFE: Life = Life { years: 10, samples_per_day: 864_000 };
/// Every 40 minutes with ten readings a second.
const BUDGET: Budget = Budget::new(24_000, ENDURANCE, LIFE);

type Place = checkpoint_ring::Flash<Flash, MOST_BYTES>;

/// What the board gives to the application.
pub type Microbit = Device<LineSensor<Line<Uart>>, Lamp, Checkpoints<Place>, Watched<NoTimer>>;

/// The board as a device of its own. Nobody knows how long the other end of the line takes, so no watchdog is started.
///
/// # Errors
/// If it was called before.
pub fn device() -> Result<Microbit, Failure> {
    let flash = Flash::take().ok_or(Failure("the board's peripherals are in use"))?;
    // SAFETY: these are the addresses in Nordic's manual, and the flash is taken only once.
    let [uart, pins] = unsafe { [0x4000_2000, 0x5000_0000].map(|base| Registers::at(base)) };
    Ok(Device {
        sensor: LineSensor::new(Line(Uart::new(uart))),
        light: Lamp::new(pins),
        keeper: Checkpoints::new(checkpoint_ring::Flash::new(flash, 0..flash::SIZE as u32)?),
        budget: BUDGET,
        supervisor: Watched::new(NoTimer),
    })
}
