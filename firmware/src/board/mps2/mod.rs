//! Arm's MPS2 boards with a Cortex-M3, M4F or M7 (AN385, AN386, AN500), which share a peripheral map.

mod device;
mod i2c;
mod timer;
mod uart;
mod watchdog;

pub use device::{Compass, Number, device};
pub use i2c::{I2c, Wires};
pub use timer::Timer;
pub use uart::Uart;
pub use watchdog::{Feeder, Watchdog};

use super::line::Line;
use super::registers::Registers;

/// The peripherals that the firmware uses.
#[derive(Debug)]
pub struct Peripherals {
    /// The I²C bus of the first shield.
    pub i2c: I2c,
    /// The first serial line.
    pub uart: Line<Uart>,
    /// The first timer.
    pub timer: Timer,
    /// The watchdog, not started yet.
    pub watchdog: Watchdog,
}

impl Peripherals {
    /// All of them, ready for use; `None` on every later call.
    pub fn take() -> Option<Self> {
        let core = cortex_m::Peripherals::take()?;
        // SAFETY: these are the addresses in Arm's notes on the three images, and the core's peripherals are taken only
        // once.
        let [i2c, uart, timer] = unsafe { [0x4002_a000, 0x4000_4000, 0x4000_0000].map(|base| Registers::at(base)) };
        Some(Self {
            i2c: i2c::i2c(i2c),
            uart: Line(Uart::new(uart, core.NVIC)),
            timer: Timer::new(timer),
            watchdog: Watchdog::new(),
        })
    }
}
