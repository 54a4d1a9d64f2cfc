//! The micro:bit v2: predicts its accelerometer, and shows surprise as a row of lights.

use embassy_nrf::gpio::{AnyPin, Level, Output, OutputDrive};
use embassy_nrf::twim::{self, Twim};
use embassy_nrf::{bind_interrupts, peripherals};
use osculate_apps::failure::Failure;
use osculate_apps::fault::Fault;
use osculate_apps::nexting::device::{self, Device, Light, Shown};

use super::{BUDGET, Nordic, PER_SECOND, keeper, supervisor};
use crate::board::accelerometer::Accelerometer;
use crate::board::sleep::Clock;

bind_interrupts!(struct Interrupts {
    TWISPI0 => twim::InterruptHandler<peripherals::TWISPI0>;
});

/// The board as a device of its own.
///
/// # Errors
/// If the watchdog already runs with other settings, or the accelerometer does not answer.
pub fn device() -> Result<Nordic<Sensor, Lamp>, Failure> {
    let chip = embassy_nrf::init(embassy_nrf::config::Config::default());
    let (keeper, supervisor) = (keeper(chip.NVMC)?, supervisor(chip.WDT)?);
    // The bus between the chips on the board. It sends from RAM only, so what the driver has in flash is copied.
    let buffer = cortex_m::singleton!(: [u8; 8] = [0; 8]).ok_or(Failure("the board's bus is in use"))?;
    let bus = Twim::new(chip.TWISPI0, Interrupts, chip.P0_16, chip.P0_08, twim::Config::default(), buffer);
    let sensor = Sensor { clock: Clock::per_second(PER_SECOND), accelerometer: Accelerometer::start(bus)? };
    defmt::info!("predicts its acceleration");
    let columns: [embassy_nrf::Peri<'static, AnyPin>; Shown::MOST as usize] =
        [chip.P0_28.into(), chip.P0_11.into(), chip.P0_31.into(), chip.P1_05.into(), chip.P0_30.into()];
    let light = Lamp {
        _row: Output::new(chip.P0_15, Level::High, OutputDrive::Standard),
        // A column is lit while it is low.
        columns: columns.map(|pin| Output::new(pin, Level::High, OutputDrive::Standard)),
    };
    Ok(Device { sensor, light, keeper, budget: BUDGET, supervisor })
}

/// The accelerometer, read at equal intervals.
pub struct Sensor {
    clock: Clock,
    accelerometer: Accelerometer<Twim<'static>>,
}

impl device::Sensor for Sensor {
    fn wait(&mut self) -> bool {
        self.clock.wait();
        true
    }

    fn read(&mut self) -> Result<[f32; 2], Fault> {
        self.accelerometer.read()
    }
}

/// The middle row of the display: the more lights, the greater the surprise.
pub struct Lamp {
    _row: Output<'static>,
    columns: [Output<'static>; Shown::MOST as usize],
}

impl Light for Lamp {
    fn show(&mut self, shown: Shown) {
        for (i, column) in (0..).zip(&mut self.columns) {
            let is_lit = match shown {
                Shown::Surprise(level) => i < level,
                // The two ends.
                Shown::Fault => i == 0 || i == Shown::MOST - 1,
            };
            column.set_level((!is_lit).into());
        }
    }
}
