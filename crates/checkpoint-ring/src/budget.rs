//! How often to store, so that the part outlives the device.

use super::eeprom;

/// What a part endures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endurance {
    /// Writes of a page of an EEPROM, or erases of a page of flash.
    pub cycles: u32,
    /// Checkpoints until every page has had one of these: the slots of the ring.
    pub slots: u32,
}

impl Endurance {
    /// A 24x64 at 25 °C with checkpoints of up to this many bytes.
    pub const fn eeprom(bytes: usize) -> Self {
        Self { cycles: 1_000_000, slots: eeprom::slots(bytes) as u32 }
    }
}

/// The life that the part has to last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// Its length.
    pub years: u16,
    /// How often the device samples.
    pub samples_per_day: u32,
}

/// The part would not last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooOften {
    /// The least number of samples between two checkpoints with which it would.
    pub least: u64,
}

impl core::fmt::Display for TooOften {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the memory would wear out: at least {} samples between two checkpoints", self.least)
    }
}

impl core::error::Error for TooOften {}

/// Says when to store: once in so many samples, counted from boot. A device that keeps resetting stores less often,
/// never more.
///
/// ```
/// use checkpoint_ring::{Budget, Endurance, Life, TooOften};
///
/// // A sample a minute for 20 years, and 8 pages of flash with 3 checkpoints to a page, good for 10 000 erases:
/// // 20 · 366 · 1440 samples over 24 · 10 000 checkpoints are 43.92, so one in 44 samples may be stored.
/// const FLASH: Endurance = Endurance { cycles: 10_000, slots: 24 };
/// const LIFE: Life = Life { years: 20, samples_per_day: 1440 };
/// assert_eq!(Budget::try_new(43, FLASH, LIFE).err(), Some(TooOften { least: 44 }));
/// let mut budget = const { Budget::new(60, FLASH, LIFE) };
/// assert_eq!((0..1440).filter(|_| budget.due()).count(), 24);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    every: u32,
    since: u32,
}

impl Budget {
    /// Never: for a device without a memory for checkpoints.
    pub const NEVER: Self = Self { every: u32::MAX, since: 0 };

    /// A checkpoint once in this many samples, for a constant.
    ///
    /// # Panics
    /// If the part would wear out within the life. In a constant, that is an error at compile time.
    pub const fn new(samples: u32, endurance: Endurance, life: Life) -> Self {
        match Self::try_new(samples, endurance, life) {
            Ok(budget) => budget,
            Err(_) => panic!("the memory would wear out"),
        }
    }

    /// A checkpoint once in this many samples.
    ///
    /// # Errors
    /// [`TooOften`] if the part would wear out within the life.
    pub const fn try_new(samples: u32, endurance: Endurance, life: Life) -> Result<Self, TooOften> {
        // u16 · 366 · u32 fits into 64 bits, and so does u32 · u32.
        let lifetime = life.years as u64 * 366 * life.samples_per_day as u64;
        let stores = endurance.cycles as u64 * endurance.slots as u64;
        let least = if stores == 0 { u64::MAX } else { lifetime.div_ceil(stores) };
        let least = if least == 0 { 1 } else { least };
        if (samples as u64) < least { Err(TooOften { least }) } else { Ok(Self { every: samples, since: 0 }) }
    }

    /// To be called once per sample. Returns whether to store now, and then counts from here, also if storing fails.
    pub fn due(&mut self) -> bool {
        if *self == Self::NEVER {
            return false;
        }
        self.since += 1;
        let due = self.since >= self.every;
        if due {
            self.since = 0;
        }
        due
    }
}
