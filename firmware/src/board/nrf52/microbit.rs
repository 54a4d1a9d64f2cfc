//! The micro:bit v2: predicts its accelerometer, and shows surprise as a row of lights.

use embassy_nrf::gpio::{Level, Output, OutputDrive};
use embassy_nrf::twim::{self, Twim};
use embassy_nrf::{bind_interrupts, peripherals};
use osculate_apps::failure::Failure;
use osculate_apps::nexting::device::{Device, Sensor, Shown};

use super::{BUDGET, Lights, Nordic, PER_SECOND, keeper, supervisor};
use crate::board::accelerometer::Accelerometer;
use crate::board::sleep::Timed;

bind_interrupts!(struct Interrupts {
    TWISPI0 => twim::InterruptHandler<peripherals::TWISPI0>;
});

/// The board as a device of its own.
///
/// # Errors
/// If the watchdog already runs with other settings, or the accelerometer does not answer.
pub fn device() -> Result<Nordic<impl Sensor, Lights<{ Shown::MOST as usize }>>, Failure> {
    let chip = embassy_nrf::init(embassy_nrf::config::Config::default());
    let (keeper, supervisor) = (keeper(chip.NVMC)?, supervisor(chip.WDT)?);
    // The bus between the chips on the board. It sends from RAM only, so what the driver has in flash is copied.
    let buffer = cortex_m::singleton!(: [u8; 8] = [0; 8]).ok_or(Failure("the board's bus is in use"))?;
    let bus = Twim::new(chip.TWISPI0, Interrupts, chip.P0_16, chip.P0_08, twim::Config::default(), buffer);
    let mut accelerometer = Accelerometer::start(bus)?;
    let sensor = Timed::per_second(PER_SECOND, move || accelerometer.read());
    defmt::info!("predicts its acceleration");
    let columns = [chip.P0_28.into(), chip.P0_11.into(), chip.P0_31.into(), chip.P1_05.into(), chip.P0_30.into()];
    // The middle row of the display is driven for good.
    core::mem::forget(Output::new(chip.P0_15, Level::High, OutputDrive::Standard));
    Ok(Device { sensor, light: Lights::new(columns), keeper, budget: BUDGET, supervisor })
}
