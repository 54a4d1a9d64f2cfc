//! A bit-banged I²C bus.

use embedded_hal::i2c::{ErrorKind, ErrorType, NoAcknowledgeSource, Operation};

use crate::board::registers::Registers;

/// A read returns the levels of the lines. A write releases the lines whose bits are 1.
const RELEASE: usize = 0;
/// A write pulls the lines low whose bits are 1.
const PULL: usize = 4;
const CLOCK: u32 = 1;
const DATA: u32 = 2;

/// The bus, as its only master.
#[derive(Debug)]
pub struct I2c(Registers);

impl I2c {
    pub(super) fn new(registers: Registers) -> Self {
        let mut bus = Self(registers);
        bus.0.write(RELEASE, CLOCK | DATA);
        bus
    }

    fn start(&mut self) {
        // Valid in any state: a start within a transaction is a repeated start.
        self.0.write(RELEASE, DATA);
        self.0.write(RELEASE, CLOCK);
        self.0.write(PULL, DATA);
        self.0.write(PULL, CLOCK);
    }

    fn stop(&mut self) {
        self.0.write(PULL, DATA);
        self.0.write(RELEASE, CLOCK);
        self.0.write(RELEASE, DATA);
    }

    /// One clock cycle: puts a bit on the data line and samples it while the clock is high.
    fn exchange(&mut self, bit: bool) -> bool {
        self.0.write(if bit { RELEASE } else { PULL }, DATA);
        self.0.write(RELEASE, CLOCK);
        let seen = self.0.read(RELEASE) & DATA != 0;
        self.0.write(PULL, CLOCK);
        seen
    }

    fn send(&mut self, byte: u8, source: NoAcknowledgeSource) -> Result<(), ErrorKind> {
        for position in (0..8).rev() {
            self.exchange(byte >> position & 1 == 1);
        }
        // The receiver acknowledges by pulling the line low.
        if self.exchange(true) { Err(ErrorKind::NoAcknowledge(source)) } else { Ok(()) }
    }

    fn receive(&mut self, last: bool) -> u8 {
        let byte = (0..8).fold(0, |byte, _| byte << 1 | u8::from(self.exchange(true)));
        self.exchange(last);
        byte
    }

    fn run(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        let mut reading = None;
        for index in 0..operations.len() {
            let read = matches!(operations[index], Operation::Read(_));
            // Consecutive operations of the same kind are merged.
            if reading != Some(read) {
                self.start();
                self.send(address << 1 | u8::from(read), NoAcknowledgeSource::Address)?;
                reading = Some(read);
            }
            let more = matches!(operations.get(index + 1), Some(Operation::Read(_)));
            match &mut operations[index] {
                Operation::Write(bytes) => {
                    for byte in *bytes {
                        self.send(*byte, NoAcknowledgeSource::Data)?;
                    }
                }
                Operation::Read(bytes) => {
                    let count = bytes.len();
                    for (position, byte) in bytes.iter_mut().enumerate() {
                        *byte = self.receive(position + 1 == count && !more);
                    }
                }
            }
        }
        Ok(())
    }
}

impl ErrorType for I2c {
    type Error = ErrorKind;
}

impl embedded_hal::i2c::I2c for I2c {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        let result = self.run(address, operations);
        self.stop();
        result
    }
}
