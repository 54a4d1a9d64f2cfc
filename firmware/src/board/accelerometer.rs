//! The LSM303AGR, soldered to the micro:bit v2 and sold on breakout boards.

use embassy_time::Delay;
use embedded_hal::i2c::I2c;
use lsm303agr::interface::I2cInterface;
use lsm303agr::mode::MagOneShot;
use lsm303agr::{AccelMode, AccelOutputDataRate, Error, Lsm303agr};
use osculate_apps::fault::Fault;

/// The accelerometer, measuring.
pub(super) struct Accelerometer<B>(Lsm303agr<I2cInterface<B>, MagOneShot>);

impl<B: I2c> Accelerometer<B> {
    /// Starts it.
    ///
    /// # Errors
    /// If it does not answer.
    pub(super) fn start(bus: B) -> Result<Self, Fault> {
        let mut sensor = Lsm303agr::new_with_i2c(bus);
        sensor.init().map_err(fault)?;
        sensor
            .set_accel_mode_and_odr(&mut Delay, AccelMode::HighResolution, AccelOutputDataRate::Hz50)
            .map_err(fault)?;
        Ok(Self(sensor))
    }

    /// Acceleration along x and y, in multiples of gravity.
    pub(super) fn read(&mut self) -> Result<[f32; 2], Fault> {
        let (x, y, _) = self.0.acceleration().map_err(fault)?.xyz_mg();
        Ok([x, y].map(|axis| axis as f32 / 1024.0))
    }
}

fn fault<E: embedded_hal::i2c::Error>(error: Error<E>) -> Fault {
    match error {
        Error::Comm(error) => Fault::on_bus(&error),
        Error::InvalidInputData => Fault::OutOfRange,
    }
}
