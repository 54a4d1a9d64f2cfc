//! A timer that counts down.

use embedded_hal::delay::DelayNs;

use crate::board::registers::Registers;

const CONTROL: usize = 0x0;
const VALUE: usize = 0x4;
const RELOAD: usize = 0x8;
/// The length of a tick at 25 MHz.
const TICK_NS: u32 = 40;

/// The timer, used for delays.
#[derive(Debug)]
pub struct Timer(Registers);

impl Timer {
    pub(super) fn new(registers: Registers) -> Self {
        Self(registers)
    }
}

impl DelayNs for Timer {
    fn delay_ns(&mut self, ns: u32) {
        // Rounded up, plus one for the tick in progress.
        let ticks = ns.div_ceil(TICK_NS) + 1;
        self.0.write(RELOAD, u32::MAX);
        self.0.write(VALUE, u32::MAX);
        self.0.write(CONTROL, 1);
        while u32::MAX - self.0.read(VALUE) < ticks {}
        self.0.write(CONTROL, 0);
    }
}
