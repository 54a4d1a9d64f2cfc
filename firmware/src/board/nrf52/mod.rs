//! Nordic's nRF52833 (micro:bit v2) and nRF52840 (nRF52840-DK).

#[cfg(feature = "board-nrf52840-dk")]
mod dk;
#[cfg(feature = "board-microbit-v2")]
mod microbit;

#[cfg(feature = "board-nrf52840-dk")]
pub use dk::device;
#[cfg(feature = "board-microbit-v2")]
pub use microbit::device;

use checkpoint_ring::{Budget, Checkpoints, Endurance, Flash, Life};
use embassy_nrf::Peri;
use embassy_nrf::gpio::{AnyPin, Level, Output, OutputDrive};
use embassy_nrf::nvmc::{FLASH_SIZE, Nvmc, PAGE_SIZE};
use embassy_nrf::peripherals::{NVMC, WDT};
use embassy_nrf::wdt::{Config, HaltConfig, Watchdog, WatchdogHandle};
use osculate_apps::failure::Failure;
use osculate_apps::nexting::device::{Device, Light, MOST_BYTES, Shown};

use super::chip::{FLASH_BYTES, STORE_BYTES};
use crate::watchdog::{Feed, Watched};

pub(crate) use super::nordic_reset::unwanted_reset;

/// The chips have a unit for floats.
pub type Number = f32;

/// Readings per second.
const PER_SECOND: u32 = 10;
const _: () = assert!(FLASH_SIZE == FLASH_BYTES as usize, "the driver is for another chip than boards.toml says");
/// Pages of 4 KiB hold three checkpoints each.
const ENDURANCE: Endurance = Endurance { cycles: 10_000, slots: STORE_BYTES / PAGE_SIZE as u32 * 3 };
const LIFE: Life = Life { years: 10, samples_per_day: 86_400 * PER_SECOND };
/// Every 25 minutes.
const BUDGET: Budget = Budget::new(25 * 60 * PER_SECOND, ENDURANCE, LIFE);

type Place = Flash<Nvmc<'static>, MOST_BYTES>;

/// What a board gives to the application.
pub type Nordic<S, L> = Device<S, L, Checkpoints<Place>, Watched<Feeder>>;

/// The memory for checkpoints.
fn keeper(flash: Peri<'static, NVMC>) -> Result<Checkpoints<Place>, Failure> {
    Ok(Checkpoints::new(Flash::new(Nvmc::new(flash), FLASH_BYTES - STORE_BYTES..FLASH_BYTES)?))
}

/// Starts the watchdog. From now on the loop must come round.
fn supervisor(watchdog: Peri<'static, WDT>) -> Result<Watched<Feeder>, Failure> {
    let mut config = Config::default();
    config.timeout_ticks = 8 * 32_768;
    // Somebody who looks at a stopped program does not want it to be reset.
    config.action_during_debug_halt = HaltConfig::Pause;
    let running = Watchdog::try_new(watchdog, config);
    let (_, [handle]) = running.map_err(|_| Failure("the watchdog runs already, with other settings"))?;
    Ok(Watched::new(Feeder(handle)))
}

/// Lights in a row, each on while its pin is low: the more, the greater the surprise.
pub struct Lights<const N: usize>([Output<'static>; N]);

impl<const N: usize> Lights<N> {
    fn new(pins: [Peri<'static, AnyPin>; N]) -> Self {
        Self(pins.map(|pin| Output::new(pin, Level::High, OutputDrive::Standard)))
    }
}

impl<const N: usize> Light for Lights<N> {
    fn show(&mut self, shown: Shown) {
        for (i, light) in self.0.iter_mut().enumerate() {
            let is_lit = match shown {
                Shown::Surprise(level) => i < usize::from(level),
                // The two ends.
                Shown::Fault => i == 0 || i + 1 == N,
            };
            light.set_level((!is_lit).into());
        }
    }
}

/// The running watchdog.
pub struct Feeder(WatchdogHandle);

impl Feed for Feeder {
    fn feed(&mut self) {
        self.0.pet();
    }
}
