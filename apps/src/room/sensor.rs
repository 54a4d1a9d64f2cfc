//! Three thermometers on one I²C bus, which are not believed blindly.

use core::cell::RefCell;

use embedded_hal::delay::DelayNs;
use embedded_hal::i2c::I2c;

use super::Reading;
use crate::fault::{Fault, FaultCounts};
use crate::plausible::{Limits, Plausible};

/// The bus addresses of room, floor and outside.
pub const ADDRESSES: [u8; 3] = [0x48, 0x49, 0x4a];
/// How often a transaction is tried before it counts as failed.
pub const ATTEMPTS: u32 = 3;
/// What room, floor and outside can show, in °C, and in °C per step.
///
/// Jumps and equal readings have at least three times the room that they take in the lab's houses. Inside a house all
/// zeros, which a thermometer shows before its first conversion, are no reading; outside, its own range is the limit.
pub const LIMITS: [Limits; 3] = [
    Limits { low: 0.5, high: 60.0, jump: 10.0, frozen: 120 },
    Limits { low: 0.5, high: 100.0, jump: 3.0, frozen: 120 },
    Limits { low: -55.0, high: 125.0, jump: 5.0, frozen: 288 },
];

/// The maximum conversion time. There is no reading before the first conversion is over.
const CONVERSION_MS: u32 = 320;
const TEMPERATURE: u8 = 0;
/// The configuration register and its contents: 12 bits, which differs from a TMP105's default; four conversions a
/// second, on those that can choose.
const CONFIGURE: [u8; 3] = [1, 0x60, 0xa0];
/// Never set at 12 bits.
const UNUSED_BITS: i16 = 0xf;

/// TMP105s, or register-compatible ones (TMP102, TMP112), at 12 bits: 1/16 °C.
///
/// Not through a driver crate: those return degrees, and drop the bits that tell a floating bus from a reading.
#[derive(Debug)]
pub struct Thermometers<'b, B> {
    bus: &'b RefCell<B>,
    all: [Thermometer; 3],
    faults: FaultCounts,
}

#[derive(Clone, Copy, Debug)]
struct Thermometer {
    address: u8,
    /// Whether it has its resolution, as far as known: one that was silent may have lost power.
    configured: bool,
    plausible: Plausible,
}

impl<'b, B: I2c> Thermometers<'b, B> {
    /// Not configured yet; nothing happens on the bus.
    pub fn new(bus: &'b RefCell<B>) -> Self {
        const ALL: [Thermometer; 3] = [Thermometer::new(0), Thermometer::new(1), Thermometer::new(2)];
        Self { bus, all: ALL, faults: FaultCounts::new() }
    }

    /// Sets their resolution and waits for the first conversion with it. Whoever does not answer is configured by the
    /// next [`read`](Self::read), which also says what is wrong.
    pub fn start(&mut self, delay: &mut impl DelayNs) {
        for thermometer in &mut self.all {
            if let Err(fault) = thermometer.configure(self.bus) {
                self.faults.add(fault);
            }
        }
        delay.delay_ms(CONVERSION_MS);
    }

    /// Time has passed: the next readings may be far from the last ones.
    pub fn begin(&mut self) {
        for thermometer in &mut self.all {
            thermometer.plausible.begin();
        }
    }

    /// The current readings. All three are read, so that no fault hides another.
    ///
    /// # Errors
    /// The first [`Fault`]; all of them are counted.
    pub fn read(&mut self) -> Result<Reading, Fault> {
        let answers = self.all.each_mut().map(|thermometer| thermometer.read(self.bus));
        for fault in answers.iter().filter_map(|answer| answer.err()) {
            self.faults.add(fault);
        }
        let [room, floor, outside] = answers;
        Ok(Reading { room: room?, floor: floor?, outside: outside? })
    }

    /// The faults so far.
    pub fn faults(&self) -> &FaultCounts {
        &self.faults
    }
}

impl Thermometer {
    const fn new(index: usize) -> Self {
        Self { address: ADDRESSES[index], configured: false, plausible: Plausible::new(LIMITS[index]) }
    }

    fn configure<B: I2c>(&mut self, bus: &RefCell<B>) -> Result<(), Fault> {
        attempted(bus, |bus| bus.write(self.address, &CONFIGURE).map_err(|error| Fault::on_bus(&error)))?;
        self.configured = true;
        Ok(())
    }

    fn read<B: I2c>(&mut self, bus: &RefCell<B>) -> Result<f32, Fault> {
        if !self.configured {
            self.configure(bus)?;
            return Err(Fault::Starting);
        }
        let raw = attempted(bus, |bus| {
            let mut bytes = [0; 2];
            bus.write_read(self.address, &[TEMPERATURE], &mut bytes).map_err(|error| Fault::on_bus(&error))?;
            let raw = i16::from_be_bytes(bytes);
            if raw & UNUSED_BITS == 0 { Ok(raw) } else { Err(Fault::AllOnes) }
        });
        self.configured = raw.is_ok();
        self.plausible.check(f32::from(raw? >> 4) / 16.0)
    }
}

/// Tries several times. The last fault counts.
fn attempted<B, T>(bus: &RefCell<B>, mut once: impl FnMut(&mut B) -> Result<T, Fault>) -> Result<T, Fault> {
    // Nobody else uses the bus in the meantime; if somebody did, that would be no reason to panic.
    let mut bus = bus.try_borrow_mut().map_err(|_| Fault::Bus)?;
    let mut fault = Fault::Bus;
    for _ in 0..ATTEMPTS {
        match once(&mut bus) {
            Ok(answer) => return Ok(answer),
            Err(again) => fault = again,
        }
    }
    Err(fault)
}
