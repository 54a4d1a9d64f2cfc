//! Three thermometers on one I²C bus.

use core::cell::RefCell;

use embedded_hal::delay::DelayNs;
use embedded_hal::i2c::I2c;
use tmp1x2::marker::mode::Continuous;
use tmp1x2::{ConversionRate, SlaveAddr, Tmp1x2};

use super::Reading;
use crate::failure::Failure;
use crate::shared_bus::SharedBus;

/// The bus addresses of room, floor and outside.
pub const ADDRESSES: [u8; 3] = [0x48, 0x49, 0x4a];
/// The maximum conversion time. There is no reading before the first conversion is over.
const CONVERSION_MS: u32 = 320;
/// How often a thermometer is read before it counts as silent.
const ATTEMPTS: u32 = 3;
/// A thermometer does not answer.
pub const SILENT: Failure = Failure("a thermometer does not answer");

/// TMP105s, or register-compatible ones (TMP102, TMP112), at 12 bits: 1/16 °C.
pub struct Thermometers<'b, B: I2c>([Tmp1x2<SharedBus<'b, B>, Continuous>; 3]);

impl<'b, B: I2c> Thermometers<'b, B> {
    /// Sets their resolution and waits for the first conversion with it.
    ///
    /// # Errors
    /// [`SILENT`] if one of them does not answer.
    pub fn start(bus: &'b RefCell<B>, delay: &mut impl DelayNs) -> Result<Self, Failure> {
        let address = |number: u8| SlaveAddr::Alternative(number & 2 != 0, number & 1 != 0);
        let mut all = [0, 1, 2].map(|number| Tmp1x2::new(SharedBus::new(bus), address(number)));
        for thermometer in &mut all {
            // This also writes the resolution, which differs from a TMP105's default.
            thermometer.set_conversion_rate(ConversionRate::_4Hz).map_err(|_| SILENT)?;
        }
        delay.delay_ms(CONVERSION_MS);
        Ok(Self(all))
    }

    /// The current readings.
    ///
    /// # Errors
    /// [`SILENT`] if one of them does not answer after several attempts.
    pub fn read(&mut self) -> Result<Reading, Failure> {
        let [room, floor, outside] = &mut self.0;
        Ok(Reading { room: ask(room)?, floor: ask(floor)?, outside: ask(outside)? })
    }
}

fn ask<B: I2c>(thermometer: &mut Tmp1x2<B, Continuous>) -> Result<f32, Failure> {
    (0..ATTEMPTS).find_map(|_| thermometer.read_temperature().ok()).ok_or(SILENT)
}
