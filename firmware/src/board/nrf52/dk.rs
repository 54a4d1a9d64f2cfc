//! The nRF52840-DK: predicts the temperature of its chip, and shows surprise on its first four lights.

use embassy_nrf::bind_interrupts;
use embassy_nrf::temp::{self, Temp};
use osculate_apps::failure::Failure;
use osculate_apps::fault::Fault;
use osculate_apps::nexting::device::{self, Device};

use super::{BUDGET, Lights, Nordic, PER_SECOND, keeper, supervisor};
use crate::board::sleep::{Clock, until};
use crate::board::warmth::Warmth;

bind_interrupts!(struct Interrupts {
    TEMP => temp::InterruptHandler;
});

/// The board as a device of its own.
///
/// # Errors
/// If the watchdog already runs with other settings.
pub fn device() -> Result<Nordic<Sensor, Lights<4>>, Failure> {
    let chip = embassy_nrf::init(embassy_nrf::config::Config::default());
    let (keeper, supervisor) = (keeper(chip.NVMC)?, supervisor(chip.WDT)?);
    let thermometer = Temp::new(chip.TEMP, Interrupts);
    let sensor = Sensor { clock: Clock::per_second(PER_SECOND), thermometer, warmth: Warmth::default() };
    defmt::info!("predicts the temperature of its chip");
    let light = Lights::new([chip.P0_13.into(), chip.P0_14.into(), chip.P0_15.into(), chip.P0_16.into()]);
    Ok(Device { sensor, light, keeper, budget: BUDGET, supervisor })
}

/// The thermometer in the chip, read at equal intervals.
pub struct Sensor {
    clock: Clock,
    thermometer: Temp<'static>,
    warmth: Warmth,
}

impl device::Sensor for Sensor {
    fn wait(&mut self) -> bool {
        self.clock.wait();
        true
    }

    fn read(&mut self) -> Result<[f32; 2], Fault> {
        // Quarters of a degree.
        let quarters = until(self.thermometer.read()).to_bits();
        Ok(self.warmth.of(quarters as f32 / 4.0))
    }
}
