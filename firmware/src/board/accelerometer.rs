//! The LSM303AGR, soldered to the micro:bit v2 and sold on breakout boards.

use embassy_time::Delay;
use embedded_hal::i2c::I2c;
use lsm303agr::interface::I2cInterface;
use lsm303agr::mode::MagOneShot;
use lsm303agr::{AccelMode, AccelOutputDataRate, Error, Lsm303agr};
use osculate_apps::fault::Fault;

/// The accelerometer.
pub(super) struct Accelerometer<B> {
    sensor: Lsm303agr<I2cInterface<B>, MagOneShot>,
    /// After a fault it may have lost its settings, with its power.
    is_set_up: bool,
}

impl<B: I2c> Accelerometer<B> {
    /// Starts it.
    ///
    /// # Errors
    /// If it does not answer.
    pub(super) fn start(bus: B) -> Result<Self, Fault> {
        let mut accelerometer = Self { sensor: Lsm303agr::new_with_i2c(bus), is_set_up: false };
        accelerometer.set_up().map_err(fault)?;
        Ok(accelerometer)
    }

    fn set_up(&mut self) -> Result<(), Error<B::Error>> {
        self.sensor.init()?;
        self.sensor.set_accel_mode_and_odr(&mut Delay, AccelMode::HighResolution, AccelOutputDataRate::Hz50)?;
        self.is_set_up = true;
        Ok(())
    }

    /// Acceleration along x and y, in multiples of gravity (nearly: 1024 thousandths are 1).
    ///
    /// # Errors
    /// If it does not answer, or has just been set up again: its first conversion is not over.
    pub(super) fn read(&mut self) -> Result<[f32; 2], Fault> {
        if !self.is_set_up {
            self.set_up().map_err(fault)?;
            return Err(Fault::Starting);
        }
        let acceleration = self.sensor.acceleration().map_err(|error| {
            self.is_set_up = false;
            fault(error)
        })?;
        let (x, y, _) = acceleration.xyz_mg();
        Ok([x, y].map(|axis| axis as f32 / 1024.0))
    }
}

fn fault<E: embedded_hal::i2c::Error>(error: Error<E>) -> Fault {
    match error {
        Error::Comm(error) => Fault::on_bus(&error),
        Error::InvalidInputData => Fault::OutOfRange,
    }
}
