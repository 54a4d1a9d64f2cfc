//! Why a chip of Nordic was reset.

use osculate_apps::boot::Cause;

use super::registers::Registers;
use crate::post_mortem;

/// In the power peripheral: the reasons for the last resets, kept until they are cleared by writing them.
const REASONS: usize = 0x400;
const WATCHDOG: u32 = 1 << 1;
const LOCKUP: u32 = 1 << 3;

/// The cause of a reset that nobody could note before it happened. Told only once.
pub(crate) fn unwanted_reset() -> Option<Cause> {
    // SAFETY: the power peripheral is there, and nothing else uses this register.
    let mut power = unsafe { Registers::at(0x4000_0000) };
    let reasons = power.read(REASONS);
    power.write(REASONS, reasons);
    match reasons {
        reasons if reasons & LOCKUP != 0 => Some(Cause::Lockup),
        reasons if reasons & WATCHDOG != 0 => Some(post_mortem::hang()),
        _ => None,
    }
}
