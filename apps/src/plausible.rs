//! Which readings of a sensor to believe.

use serde::{Deserialize, Serialize};

use crate::fault::Fault;

/// What the readings of a channel can be, in the channel's own unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// The smallest reading.
    pub low: f32,
    /// The largest.
    pub high: f32,
    /// The largest change from a reading to the next.
    pub jump: f32,
    /// The number of equal readings in a row, bit for bit, at which the sensor counts as frozen; 0 for never.
    pub frozen: u16,
}

/// Checks the readings of one channel, one after the other.
///
/// A jump is refused, but believed if the next reading agrees with it: a real step costs one sample, and a sensor that
/// jumps back and forth is never believed. The first reading of all has nothing to be compared with.
///
/// ```
/// use osculate_apps::fault::Fault;
/// use osculate_apps::plausible::{Limits, Plausible};
///
/// let mut water = Plausible::new(Limits { low: 0.0, high: 100.0, jump: 5.0, frozen: 60 });
/// assert_eq!(water.check(20.0), Ok(20.0));
/// assert_eq!(water.check(f32::NAN), Err(Fault::OutOfRange));
/// assert_eq!(water.check(80.0), Err(Fault::Jumping));
/// assert_eq!(water.check(21.0), Ok(21.0));
/// assert_eq!(water.check(60.0), Err(Fault::Jumping));
/// assert_eq!(water.check(61.0), Ok(61.0)); // It was a real step.
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plausible {
    limits: Limits,
    /// The last reading that was believed.
    last: Option<f32>,
    /// A jump, until the next reading.
    suspect: Option<f32>,
    bits: u32,
    /// How often these bits have come in a row.
    run: u16,
}

impl Plausible {
    /// Before the first reading.
    pub const fn new(limits: Limits) -> Self {
        Self { limits, last: None, suspect: None, bits: 0, run: 0 }
    }

    /// Forgets the last reading, so that the next one is no jump: time has passed. Equal readings are counted on.
    pub fn begin(&mut self) {
        (self.last, self.suspect) = (None, None);
    }

    /// Returns a reading that can be believed as it is.
    ///
    /// # Errors
    /// [`Fault::OutOfRange`], also for what is not a number; [`Fault::Frozen`]; [`Fault::Jumping`].
    pub fn check(&mut self, reading: f32) -> Result<f32, Fault> {
        let Limits { low, high, jump, frozen } = self.limits;
        let suspect = self.suspect.take();
        self.run = if self.run > 0 && self.bits == reading.to_bits() { self.run.saturating_add(1) } else { 1 };
        self.bits = reading.to_bits();
        // A comparison with NaN is false, so every gate asks for what is good.
        if !(low <= reading && reading <= high) {
            return Err(Fault::OutOfRange);
        }
        if frozen != 0 && self.run >= frozen {
            return Err(Fault::Frozen);
        }
        let agrees = |with: f32| (reading - with).abs() <= jump;
        if self.last.is_none_or(agrees) || suspect.is_some_and(agrees) {
            self.last = Some(reading);
            return Ok(reading);
        }
        self.suspect = Some(reading);
        Err(Fault::Jumping)
    }
}
