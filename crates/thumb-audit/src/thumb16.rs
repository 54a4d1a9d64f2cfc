//! Instructions of 16 bits: all of ARMv6-M, and those of ARMv7-M and ARMv8-M.

use crate::instruction::{Class, Operation, PC, SP, bits, register, signed, writes};

/// What the instruction does; `None` if it is unknown.
pub(crate) fn decode(address: u32, word: u32) -> Option<(Operation, Class)> {
    // The program counter reads as this.
    let pc = address + 4;
    let low = register(word, 0, 3);
    let middle = register(word, 3, 3);
    let upper = register(word, 8, 3);
    let byte = bits(word, 0, 8);
    let operation = match word >> 11 {
        0b00000 => Operation::ShiftLeft { to: low, from: middle, by: register(word, 6, 5) },
        0b00001 | 0b00010 => writes(low),
        0b00011 => {
            let third = register(word, 6, 3);
            match bits(word, 9, 2) {
                0b00 => Operation::AddRegister { to: low, left: middle, right: third },
                0b01 => Operation::SubtractRegister { to: low, left: middle, right: third },
                0b10 => Operation::Add { to: low, from: middle, amount: third.into() },
                _ => Operation::Add { to: low, from: middle, amount: -i32::from(third) },
            }
        }
        0b00100 => Operation::Constant { to: upper, value: byte },
        // Compares.
        0b00101 => Operation::Writes(0),
        0b00110 => Operation::Add { to: upper, from: upper, amount: byte as i32 },
        0b00111 => Operation::Add { to: upper, from: upper, amount: -(byte as i32) },
        0b01000 if bits(word, 10, 1) == 0 => match bits(word, 6, 4) {
            // Tests and compares.
            8 | 10 | 11 => Operation::Writes(0),
            _ => writes(low),
        },
        0b01000 => high_registers(word)?,
        0b01001 => Operation::Literal { to: upper, address: (pc & !3) + 4 * byte },
        // Stores and loads, the address in two registers.
        0b01010 if bits(word, 9, 2) < 3 => Operation::Writes(0),
        0b01010 | 0b01011 => writes(low),
        // Stores and loads at an offset: byte, halfword, word.
        0b01100 | 0b01110 | 0b10000 => Operation::Writes(0),
        0b01101 | 0b01111 | 0b10001 => writes(low),
        0b10010 => Operation::Spill { from: upper, offset: 4 * byte as i32 },
        0b10011 => Operation::Reload { to: upper, offset: 4 * byte as i32 },
        0b10100 => Operation::Constant { to: upper, value: (pc & !3) + 4 * byte },
        0b10101 => Operation::Add { to: upper, from: SP, amount: 4 * byte as i32 },
        0b10110 | 0b10111 => miscellaneous(pc, word)?,
        // Stores of several registers move the base, unless a load overwrites it.
        0b11000 => writes(upper),
        0b11001 => Operation::Writes(byte as u16 | 1 << upper),
        0b11010 | 0b11011 => match bits(word, 8, 4) {
            0b1110 => Operation::Trap,
            // Supervisor call: its handler may answer in these.
            0b1111 => Operation::Writes(0b1111),
            _ => Operation::Branch { to: pc.wrapping_add_signed(2 * signed(byte, 8)), always: false },
        },
        0b11100 => Operation::Branch { to: pc.wrapping_add_signed(2 * signed(word, 11)), always: true },
        _ => return None,
    };
    let class = match (word >> 11, operation) {
        (0b01001..=0b10011, _) => Class::Single,
        (_, Operation::Stack { loads, by }) if loads >> PC == 1 => Class::Return((by / 4) as u8),
        (_, Operation::Stack { .. }) if bits(word, 10, 1) == 1 => Class::Multiple(bits(word, 0, 9).count_ones() as u8),
        (0b11000 | 0b11001, _) => Class::Multiple(byte.count_ones() as u8),
        _ => Class::Simple,
    };
    Some((operation, class))
}

fn high_registers(word: u32) -> Option<Operation> {
    let to = register(word, 0, 3) | register(word, 7, 1) << 3;
    let from = register(word, 3, 4);
    let operation = match bits(word, 8, 2) {
        0b00 if to == PC => Operation::AddToPc { register: from },
        0b00 => Operation::AddRegister { to, left: to, right: from },
        // Compares.
        0b01 => Operation::Writes(0),
        0b10 if to == PC => Operation::JumpIntoTable,
        0b10 => Operation::Add { to, from, amount: 0 },
        _ if to & 8 != 0 => Operation::CallRegister { register: from },
        _ => Operation::JumpRegister { register: from },
    };
    Some(operation)
}

fn miscellaneous(pc: u32, word: u32) -> Option<Operation> {
    let operation = match bits(word, 8, 4) {
        0b0000 => {
            let bytes = 4 * bits(word, 0, 7) as i32;
            Operation::Stack { by: if bits(word, 7, 1) == 0 { bytes } else { -bytes }, loads: 0 }
        }
        // Compare and branch on (non-)zero.
        0b0001 | 0b0011 | 0b1001 | 0b1011 => {
            let distance = bits(word, 3, 5) << 1 | bits(word, 9, 1) << 6;
            Operation::Branch { to: pc + distance, always: false }
        }
        // Extends, and reversals of bytes.
        0b0010 => writes(register(word, 0, 3)),
        0b1010 if bits(word, 6, 2) != 2 => writes(register(word, 0, 3)),
        // The registers, and the link register.
        0b0100 | 0b0101 => Operation::Stack { by: -4 * bits(word, 0, 9).count_ones() as i32, loads: 0 },
        // The registers, and the program counter.
        0b1100 | 0b1101 => {
            let loads = bits(word, 0, 8) | bits(word, 8, 1) << PC;
            Operation::Stack { by: 4 * loads.count_ones() as i32, loads: loads as u16 }
        }
        // Interrupts on and off.
        0b0110 if bits(word, 5, 3) == 0b011 => Operation::Writes(0),
        // A breakpoint is a call of the host, which answers in these.
        0b1110 => Operation::Writes(0b11),
        0b1111 => match bits(word, 0, 4) {
            0 => Operation::Writes(0),
            mask => Operation::IfThen { count: 4 - mask.trailing_zeros() as u8 },
        },
        _ => return None,
    };
    Some(operation)
}
