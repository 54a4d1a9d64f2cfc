//! A timer that interrupts when it is not fed, and resets the chip when that does not help.

use cortex_m_rt::exception;
use osculate_apps::boot::Cause;

use super::uart;
use crate::board::registers::Registers;
use crate::watchdog::{Feed, Watched};
use crate::{fault, post_mortem};

const LOAD: usize = 0x000;
const CONTROL: usize = 0x008;
/// A write ends the interrupt and restarts the timer.
const CLEAR: usize = 0x00c;
/// Not 0 if the time is over.
const RAISED: usize = 0x010;
const LOCK: usize = 0xc00;
const KEY: u32 = 0x1acc_e551;
/// In [`CONTROL`]: interrupt when the time is over, reset when it is over once more.
const ENABLE: u32 = 1 | 2;

/// How long a round of the loop may take, waiting not included: 8 s at 25 MHz. A boot with a flaky EEPROM takes up to 6 s.
const TICKS: u32 = 200_000_000;

/// The exception's number, as the default handler counts.
const NMI: i16 = 2 - 16;

/// # Safety
/// Not while another's access is under way: an interrupt may only read, and write [`CLEAR`].
unsafe fn registers() -> Registers {
    // SAFETY: the address in Arm's notes on the three images; the rest is the caller's promise.
    unsafe { Registers::at(0x4000_8000) }
}

/// The watchdog, not started yet.
#[derive(Debug)]
pub struct Watchdog(Registers);

impl Watchdog {
    pub(super) fn new() -> Self {
        // SAFETY: the board's peripherals are taken only once.
        Self(unsafe { registers() })
    }

    /// Starts it. From now on the loop must come round.
    pub fn start(mut self) -> Watched<Feeder> {
        self.0.write(LOCK, KEY);
        self.0.write(LOAD, TICKS);
        self.0.write(CONTROL, ENABLE);
        Watched::new(Feeder(self.0))
    }
}

/// The running watchdog.
#[derive(Debug)]
pub struct Feeder(Registers);

impl Feed for Feeder {
    fn feed(&mut self) {
        self.0.write(CLEAR, 1);
    }
}

// SAFETY: it shares with the rest of the program nothing but an atomic, the stage (a word that it only reads), the note
// (which has its digest) and a register that it only writes.
#[exception]
unsafe fn NonMaskableInt() {
    // SAFETY: it reads, and writes `CLEAR`.
    let mut registers = unsafe { registers() };
    if registers.read(RAISED) == 0 {
        fault::give_up(Cause::Interrupt(NMI), fault::log)
    }
    if uart::is_waiting() {
        registers.write(CLEAR, 1);
        return;
    }
    fault::report(post_mortem::hang(), fault::log);
    // The interrupt is not cleared, so the second expiry resets the chip, whatever state it is in.
    loop {
        cortex_m::asm::nop();
    }
}
