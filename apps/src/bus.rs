//! An I²C master on two lines that are set and read by software, and that always comes to an end.
//!
//! A device that hangs may hold a line low for ever. So the wait for the clock has a limit, a data line that is held
//! low is freed by up to nine clocks, and [`most_line_operations`] bounds every transaction.

use core::mem;

use embedded_hal::i2c::{Error, ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};

/// Two open-drain lines with pull-ups. A released line is high unless somebody else pulls it low.
///
/// The master does not wait between the edges: an implementation on a fast chip does, for half a period of the bus.
pub trait Lines {
    /// Lets go of the clock.
    fn release_clock(&mut self);
    /// Pulls the clock low.
    fn pull_clock(&mut self);
    /// Lets go of the data line.
    fn release_data(&mut self);
    /// Pulls the data line low.
    fn pull_data(&mut self);
    /// Reads both lines.
    fn levels(&mut self) -> Levels;
}

/// The levels of both lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    /// Whether the clock is high.
    pub clock: bool,
    /// Whether the data line is high.
    pub data: bool,
}

/// Why a transaction failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BusError {
    /// Nobody has acknowledged the address or a byte.
    NoAcknowledge(NoAcknowledgeSource),
    /// The data line was low where it had been released for a 1.
    ArbitrationLost,
    /// The clock was held low for too long.
    ClockHeld,
    /// The data line is held low, and nine clocks have not freed it.
    DataHeld,
}

impl Error for BusError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NoAcknowledge(source) => ErrorKind::NoAcknowledge(*source),
            Self::ArbitrationLost => ErrorKind::ArbitrationLoss,
            Self::ClockHeld => ErrorKind::Other,
            Self::DataHeld => ErrorKind::Bus,
        }
    }
}

impl core::fmt::Display for BusError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::NoAcknowledge(NoAcknowledgeSource::Address) => "no device has acknowledged the address",
            Self::NoAcknowledge(_) => "the device has not acknowledged a byte",
            Self::ArbitrationLost => "another device has pulled the data line low",
            Self::ClockHeld => "the clock is held low",
            Self::DataHeld => "the data line is held low",
        })
    }
}

impl core::error::Error for BusError {}

/// The clocks after which any device has let go of the data line: the bits of a byte and its acknowledgement.
const RECOVERY_CLOCKS: u32 = 9;

/// The most [`Lines`] calls that a transaction makes: `starts` is the number of changes between writing and reading,
/// the first included, and `bytes` is without addresses.
pub const fn most_line_operations(starts: u32, bytes: u32, patience: u32) -> u32 {
    const START: u32 = 5;
    const RECOVERY: u32 = 3 * RECOVERY_CLOCKS + 3;
    const BYTE: u32 = 9 * 4;
    // A stop that fails is followed by letting go of both lines.
    const STOP: u32 = 5 + 2;
    let sent = starts.saturating_add(bytes).saturating_mul(BYTE);
    let fixed = START.saturating_mul(starts).saturating_add(RECOVERY + STOP);
    sent.saturating_add(fixed).saturating_add(patience)
}

/// A bus, as its only master.
#[derive(Clone, Debug)]
pub struct BitBanged<L> {
    lines: L,
    patience: u32,
    /// What is left of it in this transaction.
    left: u32,
}

impl<L: Lines> BitBanged<L> {
    /// Releases both lines. `patience` is how often a transaction looks again at a clock that is held low (devices may
    /// stretch it), summed over all of its clocks.
    pub fn new(lines: L, patience: u32) -> Self {
        let mut bus = Self { lines, patience, left: patience };
        bus.let_go();
        bus
    }

    /// With the clock low this is no start and no stop.
    fn let_go(&mut self) {
        self.lines.release_data();
        self.lines.release_clock();
    }

    /// Releases the clock and waits until it is high. Returns the level of the data line.
    fn raise_clock(&mut self) -> Result<bool, BusError> {
        self.lines.release_clock();
        let levels = self.lines.levels();
        if levels.clock { Ok(levels.data) } else { self.wait_for_clock() }
    }

    #[cold]
    #[inline(never)]
    fn wait_for_clock(&mut self) -> Result<bool, BusError> {
        while let Some(left) = self.left.checked_sub(1) {
            self.left = left;
            let levels = self.lines.levels();
            if levels.clock {
                return Ok(levels.data);
            }
        }
        Err(BusError::ClockHeld)
    }

    /// The start of a transaction. A device may be in the middle of a byte: this chip was reset, or noise was a clock.
    fn first_start(&mut self) -> Result<(), BusError> {
        self.lines.release_data();
        if !self.raise_clock()? {
            self.recover()?;
        }
        self.pull_start();
        Ok(())
    }

    fn repeated_start(&mut self) -> Result<(), BusError> {
        self.lines.release_data();
        if !self.raise_clock()? {
            return Err(BusError::DataHeld);
        }
        self.pull_start();
        Ok(())
    }

    fn pull_start(&mut self) {
        self.lines.pull_data();
        self.lines.pull_clock();
    }

    /// Clocks until the data line is free, then a start and a stop, without a clock in between: at the next clock the
    /// device might go on with a 0, and that would hide a stop.
    #[cold]
    fn recover(&mut self) -> Result<(), BusError> {
        for _ in 0..RECOVERY_CLOCKS {
            self.lines.pull_clock();
            if self.raise_clock()? {
                self.lines.pull_data();
                self.lines.release_data();
                return if self.lines.levels().data { Ok(()) } else { Err(BusError::DataHeld) };
            }
        }
        Err(BusError::DataHeld)
    }

    fn stop(&mut self) -> Result<(), BusError> {
        self.lines.pull_data();
        self.raise_clock()?;
        self.lines.release_data();
        if self.lines.levels().data { Ok(()) } else { Err(BusError::DataHeld) }
    }

    /// One clock cycle: puts a bit on the data line and samples it while the clock is high.
    // Unrolled into every byte, it would take kilobytes of flash.
    #[inline(never)]
    fn exchange(&mut self, bit: bool) -> Result<bool, BusError> {
        if bit {
            self.lines.release_data();
        } else {
            self.lines.pull_data();
        }
        let seen = self.raise_clock()?;
        self.lines.pull_clock();
        Ok(seen)
    }

    /// A bit that nobody else may change.
    fn put(&mut self, bit: bool) -> Result<(), BusError> {
        if self.exchange(bit)? == bit || !bit { Ok(()) } else { Err(BusError::ArbitrationLost) }
    }

    fn send(&mut self, byte: u8, source: NoAcknowledgeSource) -> Result<(), BusError> {
        for position in (0..8).rev() {
            self.put(byte >> position & 1 == 1)?;
        }
        // The receiver acknowledges by pulling the line low.
        if self.exchange(true)? { Err(BusError::NoAcknowledge(source)) } else { Ok(()) }
    }

    fn receive(&mut self, last: bool) -> Result<u8, BusError> {
        let mut byte = 0;
        for _ in 0..8 {
            byte = byte << 1 | u8::from(self.exchange(true)?);
        }
        self.put(last)?;
        Ok(byte)
    }

    fn run(&mut self, address: u8, mut operations: &mut [Operation<'_>]) -> Result<(), BusError> {
        let mut reading = None;
        while let Some((operation, after)) = mem::take(&mut operations).split_first_mut() {
            let read = matches!(operation, Operation::Read(_));
            // Consecutive operations of the same kind are merged.
            if reading != Some(read) {
                if reading.is_none() { self.first_start() } else { self.repeated_start() }?;
                self.send(address << 1 | u8::from(read), NoAcknowledgeSource::Address)?;
                reading = Some(read);
            }
            match operation {
                Operation::Write(bytes) => {
                    for byte in bytes.iter() {
                        self.send(*byte, NoAcknowledgeSource::Data)?;
                    }
                }
                Operation::Read(bytes) => {
                    let mut merged = after.iter().map_while(|next| match next {
                        Operation::Read(bytes) => Some(bytes.len()),
                        Operation::Write(_) => None,
                    });
                    let (count, more) = (bytes.len(), merged.any(|bytes| bytes > 0));
                    for (position, byte) in bytes.iter_mut().enumerate() {
                        *byte = self.receive(position + 1 == count && !more)?;
                    }
                }
            }
            operations = after;
        }
        Ok(())
    }
}

impl<L> ErrorType for BitBanged<L> {
    type Error = BusError;
}

impl<L: Lines> I2c for BitBanged<L> {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), BusError> {
        if operations.is_empty() {
            return Ok(());
        }
        self.left = self.patience;
        let result = self.run(address, operations);
        let stopped = match result {
            Ok(()) | Err(BusError::NoAcknowledge(_)) => self.stop(),
            // There is no stop on lines that somebody else holds. The next start recovers.
            Err(other) => Err(other),
        };
        if stopped.is_err() {
            self.let_go();
        }
        result.and(stopped)
    }
}
