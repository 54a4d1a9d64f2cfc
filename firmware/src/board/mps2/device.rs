//! The board as a device of its own: it predicts a compass beside a wheel.

use checkpoint_ring::Budget;
use embedded_hal::i2c::I2c as _;
use osculate_apps::failure::Failure;
use osculate_apps::fault::Fault;
use osculate_apps::line::{Answer, Request};
use osculate_apps::nexting::device::{Dark, Device, Sensor};
use osculate_apps::nexting::{COMPASS, field};
use osculate_apps::store::Forgetful;

use super::{I2c, Peripherals, Uart};
use crate::board::line::{Line, answered};
use crate::watchdog::{NoTimer, Watched};

/// Two of the three cores have a unit for floats, and the third is to show the same bits.
pub type Number = f32;

/// The board as a device of its own. Nothing is stored: `room` shows that with an EEPROM.
///
/// # Errors
/// If its peripherals are in use.
pub fn device() -> Result<Device<Compass, Dark, Forgetful, Watched<NoTimer>>, Failure> {
    let Peripherals { i2c, uart, .. } = Peripherals::take().ok_or(Failure("the peripherals are in use"))?;
    let (sensor, supervisor) = (Compass { bus: i2c, line: uart }, Watched::new(NoTimer));
    Ok(Device { sensor, light: Dark, keeper: Forgetful, budget: Budget::NEVER, supervisor })
}

/// A compass on the bus, beside a wheel that the other end of the line turns.
#[derive(Debug)]
pub struct Compass {
    bus: I2c,
    line: Line<Uart>,
}

impl Sensor for Compass {
    fn wait(&mut self) -> bool {
        answered(&mut self.line, Request::Turn, |answer| (answer == Answer::Over).then_some(())).is_some()
    }

    fn read(&mut self) -> Result<[f32; 2], Fault> {
        let mut registers = [0; 6];
        self.bus.write_read(COMPASS, &[3], &mut registers).map_err(|error| Fault::on_bus(&error))?;
        Ok(field(registers))
    }
}
