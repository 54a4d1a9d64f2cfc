//! The thermostat that every house has: a controller to compare with, and the agent's fallback far from the set-point.

use osculate::Envelope;

use super::{POWERS, Reading, SET_POINT};

/// Full power below the set-point, none above, with a hysteresis of ±0.3 °C.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thermostat {
    on: bool,
}

impl Thermostat {
    /// Switched off.
    pub const fn new() -> Self {
        Self { on: false }
    }

    /// The heater's level for the next step.
    pub fn level(&mut self, reading: &Reading) -> usize {
        if reading.room < SET_POINT - 0.3 {
            self.on = true;
        } else if reading.room > SET_POINT + 0.3 {
            self.on = false;
        }
        if self.on { POWERS.len() - 1 } else { 0 }
    }
}

/// The agent is free within this distance of the set-point, in °C; farther away the thermostat acts.
const FREE: f32 = 1.0;

/// The envelope of the agent: near the set-point, where an experiment costs little.
#[derive(Clone, Copy, Debug)]
pub struct Comfort;

impl Envelope<Reading> for Comfort {
    fn fallback(&mut self, reading: &Reading, _: usize) -> Option<usize> {
        // Out there the thermostat has switched, whatever it did before.
        ((reading.room - SET_POINT).abs() > FREE).then(|| Thermostat::new().level(reading))
    }
}
