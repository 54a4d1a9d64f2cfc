//! The serial line of the micro:bit, by USB at the other end.

use crate::board::line::Port;
use crate::board::registers::Registers;

const START_RECEIVING: usize = 0x000;
const START_SENDING: usize = 0x008;
/// Not 0 if a byte was received, or sent.
const RECEIVED: usize = 0x108;
const SENT: usize = 0x11c;
const ENABLE: usize = 0x500;
const SENDS_BY: usize = 0x50c;
const RECEIVES_BY: usize = 0x514;
const DATA_IN: usize = 0x518;
const DATA_OUT: usize = 0x51c;
const SPEED: usize = 0x524;

/// The pins that lead to the interface chip.
const TO_USB: u32 = 24;
const FROM_USB: u32 = 25;
/// 115 200 baud.
const FAST: u32 = 0x01d7_e000;
/// In [`ENABLE`].
const ON: u32 = 4;

/// The serial line: 8 bits, no parity.
#[derive(Debug)]
pub struct Uart(Registers);

impl Uart {
    pub(super) fn new(mut registers: Registers) -> Self {
        registers.write(SENDS_BY, TO_USB);
        registers.write(RECEIVES_BY, FROM_USB);
        registers.write(SPEED, FAST);
        registers.write(ENABLE, ON);
        registers.write(START_RECEIVING, 1);
        registers.write(START_SENDING, 1);
        Self(registers)
    }
}

impl Port for Uart {
    fn send(&mut self, byte: u8) {
        self.0.write(SENT, 0);
        self.0.write(DATA_OUT, byte.into());
        while self.0.read(SENT) == 0 {}
    }

    fn receive(&mut self) -> u8 {
        while self.0.read(RECEIVED) == 0 {}
        self.0.write(RECEIVED, 0);
        self.0.read(DATA_IN) as u8
    }
}
