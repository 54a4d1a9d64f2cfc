//! The nRF52840-DK: predicts the temperature of its chip, and shows surprise on its first four lights.

use embassy_nrf::bind_interrupts;
use embassy_nrf::temp::{self, Temp};
use osculate_apps::failure::Failure;
use osculate_apps::nexting::device::{Device, Sensor};

use super::{BUDGET, Lights, Nordic, PER_SECOND, keeper, supervisor};
use crate::board::sleep::{Timed, until};
use crate::board::warmth::Warmth;

bind_interrupts!(struct Interrupts {
    TEMP => temp::InterruptHandler;
});

/// The board as a device of its own.
///
/// # Errors
/// If the watchdog already runs with other settings.
pub fn device() -> Result<Nordic<impl Sensor, Lights<4>>, Failure> {
    let chip = embassy_nrf::init(embassy_nrf::config::Config::default());
    let (keeper, supervisor) = (keeper(chip.NVMC)?, supervisor(chip.WDT)?);
    let (mut thermometer, mut warmth) = (Temp::new(chip.TEMP, Interrupts), Warmth::default());
    let sensor = Timed::per_second(PER_SECOND, move || {
        // Quarters of a degree.
        let quarters = until(thermometer.read()).to_bits();
        Ok(warmth.of(quarters as f32 / 4.0))
    });
    defmt::info!("predicts the temperature of its chip");
    let light = Lights::new([chip.P0_13.into(), chip.P0_14.into(), chip.P0_15.into(), chip.P0_16.into()]);
    Ok(Device { sensor, light, keeper, budget: BUDGET, supervisor })
}
