//! Why there is no reading of a sensor, and how often.

use embedded_hal::i2c::{Error, ErrorKind, NoAcknowledgeSource};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// Why there is no reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// Nobody has acknowledged the sensor's address.
    Absent,
    /// Any other failure on the bus.
    Bus,
    /// Ones where this sensor never has any: nobody drives the data line.
    AllOnes,
    /// Outside of what there can be, or not a number.
    OutOfRange,
    /// The same bits for longer than anything real.
    Frozen,
    /// Too far from the reading before, and not confirmed.
    Jumping,
    /// Just configured again; its first conversion is not over.
    Starting,
}

impl Fault {
    /// Every kind.
    pub const ALL: [Self; 7] =
        [Self::Absent, Self::Bus, Self::AllOnes, Self::OutOfRange, Self::Frozen, Self::Jumping, Self::Starting];

    /// The kind of a failed transaction.
    pub fn on_bus(error: &impl Error) -> Self {
        match error.kind() {
            ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address) => Self::Absent,
            _ => Self::Bus,
        }
    }

    /// The same in words.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Absent => "a sensor does not answer",
            Self::Bus => "the bus of the sensors fails",
            Self::AllOnes => "nobody drives the data line of the sensors",
            Self::OutOfRange => "a sensor is out of its range",
            Self::Frozen => "a sensor is frozen",
            Self::Jumping => "a sensor jumps",
            Self::Starting => "a sensor is starting",
        }
    }
}

impl core::fmt::Display for Fault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text())
    }
}

impl core::error::Error for Fault {}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self(fault.text())
    }
}

/// How often each [`Fault`] has occurred. A count stays at its maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultCounts([u16; Fault::ALL.len()]);

impl FaultCounts {
    /// None yet.
    pub const fn new() -> Self {
        Self([0; Fault::ALL.len()])
    }

    /// One more of this kind.
    pub fn add(&mut self, fault: Fault) {
        if let Some(count) = self.0.get_mut(fault as usize) {
            *count = count.saturating_add(1);
        }
    }

    /// How often this kind has occurred.
    pub fn of(&self, fault: Fault) -> u16 {
        self.0.get(fault as usize).copied().unwrap_or(0)
    }

    /// How often any kind has occurred.
    pub fn total(&self) -> u32 {
        self.0.iter().map(|count| u32::from(*count)).sum()
    }
}
