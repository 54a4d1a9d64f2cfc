//! A TMP105, as QEMU emulates it.

use embedded_hal::i2c::Operation;

/// Its registers, and which of them is read next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tmp105 {
    /// In 1/256 °C.
    pub temperature: i16,
    /// Two of its bits select the resolution, from 9 to 12 bits.
    pub config: u8,
    pointer: u8,
}

impl Tmp105 {
    /// Takes a byte of a message: the first one selects a register.
    pub fn take(&mut self, index: usize, byte: u8) {
        match (index, self.pointer) {
            (0, _) => self.pointer = byte,
            (1, 1) => self.config = byte,
            _ => {}
        }
    }

    /// The register that is selected.
    pub fn register(&self) -> [u8; 2] {
        let resolution = 0xff80_u16.cast_signed() >> (self.config >> 5 & 3);
        match self.pointer {
            0 => (self.temperature & resolution).to_be_bytes(),
            1 => [self.config, 0],
            _ => [0, 0],
        }
    }

    /// A transaction on the bus.
    pub fn transfer(&mut self, operations: &mut [Operation<'_>]) {
        for operation in operations {
            match operation {
                Operation::Write(bytes) => bytes.iter().enumerate().for_each(|(i, byte)| self.take(i, *byte)),
                Operation::Read(bytes) => {
                    for (byte, register) in bytes.iter_mut().zip(self.register()) {
                        *byte = register;
                    }
                }
            }
        }
    }
}
