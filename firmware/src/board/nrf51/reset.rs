//! Why the chip was reset.

use crate::board::registers::Registers;

/// In the power peripheral: the reasons for the last resets, kept until they are cleared by writing them.
const REASONS: usize = 0x400;
const LOCKUP: u32 = 1 << 3;

/// Whether the chip was reset because the core had locked up. Told only once.
pub(crate) fn was_locked_up() -> bool {
    // SAFETY: the power peripheral is there, and nothing else uses this register.
    let mut power = unsafe { Registers::at(0x4000_0000) };
    let reasons = power.read(REASONS);
    power.write(REASONS, reasons);
    reasons & LOCKUP != 0
}
