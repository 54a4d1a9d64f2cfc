//! A thermometer with a TMP105's registers, at the level of its two lines.

/// It sees edges, and may pull the data line low.
#[derive(Clone, Debug)]
pub(crate) struct Thermometer {
    pub(crate) temperature: u16,
    pub(crate) config: u8,
    pub(crate) pulls: bool,
    pointer: u8,
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
    pub(crate) fn new(temperature: u16) -> Self {
        let (phase, pulls, wanted) = (Phase::Idle, false, false);
        Self { temperature, config: 0, pulls, pointer: 0, phase, byte: 0, clocks: 0, bytes: 0, wanted }
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
        match (self.bytes, self.pointer) {
            (0, _) => return self.byte >> 1 == ADDRESS,
            (1, _) => self.pointer = self.byte,
            (2, 1) => self.config = self.byte,
            (2 | 3, _) => {}
            _ => return false,
        }
        true
    }

    fn load(&mut self) {
        let register = if self.pointer == 0 { self.temperature.to_be_bytes() } else { [self.config, 0] };
        self.byte = register.get(self.bytes).copied().unwrap_or(0xff);
        self.bytes += 1;
        (self.clocks, self.pulls) = (0, self.byte & 0x80 == 0);
    }
}
