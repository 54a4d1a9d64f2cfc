//! A serial line. The core sleeps until data arrives.

use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m::asm::wfi;
use cortex_m::interrupt::InterruptNumber;
use cortex_m::peripheral::NVIC;

use crate::board::line::Port;
use crate::board::registers::Registers;

const DATA: usize = 0x00;
const STATE: usize = 0x04;
const CONTROL: usize = 0x08;
const CLEAR: usize = 0x0c;
const DIVIDER: usize = 0x10;
/// In [`STATE`]: transmit buffer full; receive buffer full.
const FULL_TO_SEND: u32 = 1;
const RECEIVED: u32 = 2;
/// In [`CONTROL`]: enable transmitter, receiver, receive interrupt.
const ENABLE: u32 = 1 | 2 | 8;
/// In [`CLEAR`]: the receive interrupt.
const RECEIPT: u32 = 2;

/// Whether the core is waiting for data. Nobody knows how long the world takes: that is not a hang.
static WAITING: AtomicBool = AtomicBool::new(false);

pub(super) fn is_waiting() -> bool {
    WAITING.load(Ordering::Relaxed)
}

#[derive(Clone, Copy)]
struct Received;

// SAFETY: 0 is the number of this interrupt on all boards of this module, and it never changes.
unsafe impl InterruptNumber for Received {
    fn number(self) -> u16 {
        0
    }
}

/// The serial line: 8 bits, no parity.
#[derive(Debug)]
pub struct Uart(Registers);

impl Uart {
    pub(super) fn new(mut registers: Registers, _: NVIC) -> Self {
        // A pending interrupt ends the sleep even if it is masked, so no handler is needed.
        cortex_m::interrupt::disable();
        // SAFETY: with interrupts off, this changes nothing that other code relies on.
        unsafe { NVIC::unmask(Received) };
        registers.write(DIVIDER, 16);
        registers.write(CONTROL, ENABLE);
        Self(registers)
    }
}

impl Port for Uart {
    fn send(&mut self, byte: u8) {
        self.flush();
        self.0.write(DATA, byte.into());
    }

    /// Sleeps until data arrives.
    fn receive(&mut self) -> u8 {
        WAITING.store(true, Ordering::Relaxed);
        while self.0.read(STATE) & RECEIVED == 0 {
            wfi();
        }
        WAITING.store(false, Ordering::Relaxed);
        let byte = self.0.read(DATA) as u8;
        self.0.write(CLEAR, RECEIPT);
        NVIC::unpend(Received);
        byte
    }

    fn flush(&mut self) {
        while self.0.read(STATE) & FULL_TO_SEND != 0 {}
    }
}
