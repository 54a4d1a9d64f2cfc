//! What the board can sense, at equal intervals.

use embassy_rp::Peri;
use embassy_rp::adc::{self, Adc, Channel};
use embassy_rp::peripherals::{ADC, ADC_TEMP_SENSOR};
use embedded_hal::i2c::I2c;
use osculate_apps::fault::Fault;
use osculate_apps::nexting::device::Sensor;

use crate::board::accelerometer::Accelerometer;
use crate::board::sleep::Timed;
use crate::board::warmth::Warmth;

/// Readings per second.
pub(super) const PER_SECOND: u32 = 10;

// There is no heap for the larger one.
#[allow(clippy::large_enum_variant)]
enum Kind<B> {
    Accelerometer(Accelerometer<B>),
    Die { adc: Adc<'static, adc::Blocking>, channel: Channel<'static>, warmth: Warmth },
}

/// The sensor that is found: on the bus, or in the chip.
pub(super) fn find(bus: impl I2c, adc: Peri<'static, ADC>, die: Peri<'static, ADC_TEMP_SENSOR>) -> impl Sensor {
    let mut kind = match Accelerometer::start(bus) {
        Ok(accelerometer) => {
            defmt::info!("predicts the acceleration that an LSM303AGR measures");
            Kind::Accelerometer(accelerometer)
        }
        Err(_) => {
            defmt::info!("no LSM303AGR on the bus: predicts the temperature of the chip");
            let adc = Adc::new_blocking(adc, adc::Config::default());
            Kind::Die { adc, channel: Channel::new_temp_sensor(die), warmth: Warmth::default() }
        }
    };
    Timed::per_second(PER_SECOND, move || match &mut kind {
        Kind::Accelerometer(accelerometer) => accelerometer.read(),
        Kind::Die { adc, channel, warmth } => {
            // One conversion is good to half a degree; many are better.
            let mut sum = 0;
            for _ in 0..32 {
                sum += u32::from(adc.blocking_read(channel).map_err(|_| Fault::Bus)?);
            }
            Ok(warmth.of(celsius(sum as f32 / 32.0)))
        }
    })
}

/// The temperature of a reading, as in the chip's data sheet.
fn celsius(reading: f32) -> f32 {
    let volts = reading * (3.3 / 4096.0);
    27.0 - (volts - 0.706) / 0.001_721
}
