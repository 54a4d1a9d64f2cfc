//! A TMP105 at the level of its two lines.

use osculate_programs::tmp105::Tmp105;

/// It sees edges, and may pull the data line low.
#[derive(Clone, Debug)]
pub(crate) struct Thermometer {
    pub(crate) chip: Tmp105,
    pub(crate) pulls: bool,
    phase: Phase,
    /// The byte on the line, and the clocks that it has had.
    byte: u8,
    clocks: u32,
    /// The bytes since the start, and what the master said to the last one.
    bytes: usize,
    wanted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Idle,
    Receiving,
    Sending,
}

pub(crate) const ADDRESS: u8 = 0x48;

impl Thermometer {
    /// With a resolution of 12 bits.
    pub(crate) fn new(temperature: u16) -> Self {
        let mut chip = Tmp105::default();
        (chip.temperature, chip.config) = (temperature.cast_signed(), 0x60);
        Self { chip, pulls: false, phase: Phase::Idle, byte: 0, clocks: 0, bytes: 0, wanted: false }
    }

    pub(crate) fn start(&mut self) {
        (self.phase, self.pulls, self.byte, self.clocks, self.bytes) = (Phase::Receiving, false, 0, 0, 0);
    }

    pub(crate) fn stop(&mut self) {
        (self.phase, self.pulls) = (Phase::Idle, false);
    }

    pub(crate) fn clock_rises(&mut self, data: bool) {
        match self.phase {
            Phase::Receiving if self.clocks < 8 => self.byte = self.byte << 1 | u8::from(data),
            Phase::Sending if self.clocks == 8 => self.wanted = !data,
            _ => {}
        }
        self.clocks += 1;
    }

    pub(crate) fn clock_falls(&mut self) {
        match (self.phase, self.clocks) {
            (Phase::Receiving, 8) => {
                self.pulls = self.accepts();
                self.bytes += 1;
            }
            (Phase::Receiving, 9) if !self.pulls => self.stop(),
            (Phase::Receiving, 9) if self.bytes == 1 && self.byte & 1 == 1 => {
                (self.phase, self.bytes) = (Phase::Sending, 0);
                self.load();
            }
            (Phase::Receiving, 9) => (self.pulls, self.clocks, self.byte) = (false, 0, 0),
            (Phase::Sending, 8) => self.pulls = false,
            (Phase::Sending, 9) if self.wanted => self.load(),
            (Phase::Sending, 9) => self.stop(),
            (Phase::Sending, clocks) => self.pulls = self.byte << clocks & 0x80 == 0,
            _ => {}
        }
    }

    /// Takes a byte, or does not acknowledge it.
    fn accepts(&mut self) -> bool {
        match self.bytes {
            0 => return self.byte >> 1 == ADDRESS,
            index @ 1..4 => self.chip.take(index - 1, self.byte),
            _ => return false,
        }
        true
    }

    fn load(&mut self) {
        self.byte = self.chip.register().get(self.bytes).copied().unwrap_or(0xff);
        self.bytes += 1;
        (self.clocks, self.pulls) = (0, self.byte & 0x80 == 0);
    }
}
