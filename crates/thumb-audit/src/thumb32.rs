//! Instructions of 32 bits of ARMv7-M and ARMv8-M with the floating-point extension. ARMv6-M has a few of them.

use crate::instruction::{Class, Operation, PC, SP, bits, mask, register, signed, writes};

/// What the instruction does; `None` if it is unknown.
pub(crate) fn decode(address: u32, first: u32, second: u32) -> Option<(Operation, Class)> {
    let operation = match (bits(first, 11, 2), bits(first, 9, 2)) {
        (0b01, 0b00) if bits(first, 6, 1) == 0 => multiple(first, second),
        (0b01, 0b00) => double(first, second),
        (0b01, 0b01) => shifted(first, second),
        (0b10, _) if bits(second, 15, 1) == 1 => control(address, first, second),
        (0b10, _) if bits(first, 9, 1) == 0 => immediate(first, second),
        (0b10, _) => plain_immediate(address, first, second),
        (0b11, 0b00) => single(address, first, second),
        // Shifts by a register, extends, parallel arithmetic, counts of zeros; products and quotients.
        (0b11, 0b01) if bits(first, 7, 2) != 0b11 => Some(writes(register(second, 8, 4))),
        // Products and quotients of 64 bits have a second result.
        (0b11, 0b01) => Some(Operation::Writes(mask(register(second, 8, 4)) | mask(register(second, 12, 4)))),
        (_, _) => coprocessor(first, second),
    };
    Some((operation?, class(first, second)))
}

fn class(first: u32, second: u32) -> Class {
    match (bits(first, 11, 2), bits(first, 9, 2)) {
        (0b01, 0b00) if bits(first, 6, 1) == 0 => Class::Multiple(second.count_ones() as u8),
        (0b01, 0b00) => Class::Double,
        (0b10, _) if bits(second, 12, 4) & 0b1101 == 0b1101 => Class::Call,
        // MRS, MSR, hints and barriers: a branch has other bits there.
        (0b10, _) if bits(second, 12, 4) & 0b1101 == 0b1000 && bits(first, 7, 4) == 0b0111 => Class::System,
        (0b11, 0b00) => Class::Single,
        (0b11, 0b01) => match bits(first, 4, 5) {
            // Without an accumulator it is MUL.
            0b10000 if bits(second, 12, 4) != u32::from(PC) => Class::MultiplyAdd,
            0b11000 | 0b11010 => Class::LongMultiply,
            0b11001 | 0b11011 => Class::Divide,
            0b11100 | 0b11110 => Class::LongMultiplyAdd,
            _ => Class::Simple,
        },
        (0b01, 0b10) if bits(first, 5, 4) == 0b0010 => Class::FloatPair,
        (0b01, 0b10) if bits(first, 8, 1) == 1 && bits(first, 5, 1) == 0 => Class::Single,
        (0b01, 0b10) => Class::Multiple(bits(second, 0, 8) as u8),
        (0b01, 0b11) if bits(first, 8, 1) == 0 && bits(second, 4, 1) == 0 => float(first, second),
        _ => Class::Simple,
    }
}

fn float(first: u32, second: u32) -> Class {
    match (bits(first, 4, 4) & 0b1011, bits(second, 6, 2)) {
        (0b1000, _) => Class::FloatDivide,
        // VSQRT
        (0b1011, 0b11) if bits(first, 0, 4) == 1 => Class::FloatDivide,
        // VMLA, VMLS and their negatives
        (0b0000 | 0b0001, _) => Class::FloatMultiplyAdd,
        _ => Class::Simple,
    }
}

/// Loads and stores of several registers.
fn multiple(first: u32, second: u32) -> Option<Operation> {
    let (base, load) = (register(first, 0, 4), bits(first, 4, 1) == 1);
    let writes_back = bits(first, 5, 1) == 1;
    let bytes = 4 * second.count_ones() as i32;
    let operation = match (bits(first, 7, 2), base, load, writes_back) {
        // push and pop
        (0b10, SP, false, true) => Operation::Stack { by: -bytes, loads: 0 },
        (0b01, SP, true, true) => Operation::Stack { by: bytes, loads: second as u16 },
        // Anything else that moves the stack pointer, or stores below it.
        (_, SP, _, true) | (0b10, SP, false, false) => return None,
        (0b01 | 0b10, _, true, _) if bits(second, 15, 1) == 1 => return None,
        (0b01 | 0b10, _, true, true) => Operation::Writes(second as u16 | 1 << base),
        (0b01 | 0b10, _, true, false) => Operation::Writes(second as u16),
        (0b01 | 0b10, _, false, true) => writes(base),
        (0b01 | 0b10, _, false, false) => Operation::Writes(0),
        _ => return None,
    };
    Some(operation)
}

/// Loads and stores of two registers, exclusive ones, and jump tables.
fn double(first: u32, second: u32) -> Option<Operation> {
    let base = register(first, 0, 4);
    let (indexed, up, writes_back) = (bits(first, 8, 1), bits(first, 7, 1), bits(first, 5, 1) == 1);
    let load = bits(first, 4, 1) == 1;
    let pair = mask(register(second, 12, 4)) | mask(register(second, 8, 4));
    if indexed == 0 && !writes_back {
        return match (up, load, bits(second, 4, 4)) {
            (1, true, size @ (0 | 1)) if base == PC => Some(Operation::JumpTable { wide: size == 1 }),
            (1, true, 0 | 1) => None,
            // Both what is loaded and whether it was stored, wherever they are.
            _ => Some(Operation::Writes((pair | mask(register(second, 0, 4))) & !(1 << SP))),
        };
    }
    let loads = if load { pair } else { 0 };
    let offset = 4 * bits(second, 0, 8) as i32;
    Some(match (base, writes_back) {
        (SP, true) => Operation::Stack { by: if up == 1 { offset } else { -offset }, loads },
        (_, true) => Operation::Writes(loads | 1 << base),
        (_, false) => Operation::Writes(loads),
    })
}

/// Arithmetic with a shifted register.
fn shifted(first: u32, second: u32) -> Option<Operation> {
    let (to, left, right) = (register(second, 8, 4), register(first, 0, 4), register(second, 0, 4));
    let unshifted = bits(second, 12, 3) == 0 && bits(second, 4, 4) == 0;
    Some(match bits(first, 5, 4) {
        _ if to == PC => Operation::Writes(0),
        0b0010 if left == PC && unshifted => Operation::Add { to, from: right, amount: 0 },
        0b1000 if unshifted => Operation::AddRegister { to, left, right },
        0b1101 if unshifted => Operation::SubtractRegister { to, left, right },
        _ => writes(to),
    })
}

/// Arithmetic with a number that is spread over the instruction.
fn immediate(first: u32, second: u32) -> Option<Operation> {
    let (to, from) = (register(second, 8, 4), register(first, 0, 4));
    let value = expanded(bits(first, 10, 1) << 11 | bits(second, 12, 3) << 8 | bits(second, 0, 8));
    Some(match bits(first, 5, 4) {
        _ if to == PC => Operation::Writes(0),
        0b0010 if from == PC => Operation::Constant { to, value },
        0b0011 if from == PC => Operation::Constant { to, value: !value },
        0b1000 => Operation::Add { to, from, amount: value as i32 },
        0b1101 => Operation::Add { to, from, amount: (value as i32).wrapping_neg() },
        _ => writes(to),
    })
}

/// Twelve bits as a number: a byte, repeated or rotated.
fn expanded(code: u32) -> u32 {
    let byte = code & 0xff;
    match code >> 8 {
        0 => byte,
        1 => byte * 0x0001_0001,
        2 => byte * 0x0100_0100,
        3 => byte * 0x0101_0101,
        _ => (0x80 | code & 0x7f).rotate_right(code >> 7),
    }
}

/// Arithmetic with a plain number, moves of halves, and bit fields.
fn plain_immediate(address: u32, first: u32, second: u32) -> Option<Operation> {
    let (to, from) = (register(second, 8, 4), register(first, 0, 4));
    let value = bits(first, 10, 1) << 11 | bits(second, 12, 3) << 8 | bits(second, 0, 8);
    let half = u32::from(from) << 12 | value;
    let here = (address + 4) & !3;
    Some(match bits(first, 4, 5) {
        0b00000 if from == PC => Operation::Constant { to, value: here + value },
        0b00000 => Operation::Add { to, from, amount: value as i32 },
        0b01010 if from == PC => Operation::Constant { to, value: here - value },
        0b01010 => Operation::Add { to, from, amount: -(value as i32) },
        0b00100 => Operation::Constant { to, value: half },
        0b01100 => Operation::Top { to, value: half },
        _ => writes(to),
    })
}

/// Branches, calls, and the registers of the system.
fn control(address: u32, first: u32, second: u32) -> Option<Operation> {
    let pc = address + 4;
    let sign = bits(first, 10, 1);
    let (one, two) = (bits(second, 13, 1), bits(second, 11, 1));
    // The two bits are stored so that short distances have ones there.
    let far = sign << 24 | (one ^ sign ^ 1) << 23 | (two ^ sign ^ 1) << 22;
    let to = pc.wrapping_add_signed(signed(far | bits(first, 0, 10) << 12 | bits(second, 0, 11) << 1, 25));
    match (bits(second, 14, 1), bits(second, 12, 1)) {
        (1, 1) => Some(Operation::Call { to }),
        (0, 1) => Some(Operation::Branch { to, always: true }),
        (0, 0) if bits(first, 7, 3) != 0b111 => {
            let near = sign << 20 | two << 19 | one << 18 | bits(first, 0, 6) << 12 | bits(second, 0, 11) << 1;
            Some(Operation::Branch { to: pc.wrapping_add_signed(signed(near, 21)), always: false })
        }
        (0, 0) => match bits(first, 4, 7) {
            // The main and the process stack pointer, secure and not.
            0b0111000 | 0b0111001 => Some(match bits(second, 0, 8) {
                8 | 9 | 0x88 | 0x89 | 0x98 => Operation::SetStack { from: register(first, 0, 4) },
                _ => Operation::Writes(0),
            }),
            // Hints and barriers.
            0b0111010 | 0b0111011 => Some(Operation::Writes(0)),
            0b0111110 | 0b0111111 => Some(writes(register(second, 8, 4))),
            0b1111111 => Some(Operation::Trap),
            _ => None,
        },
        _ => None,
    }
}

/// Loads and stores of one register.
fn single(address: u32, first: u32, second: u32) -> Option<Operation> {
    let (base, target) = (register(first, 0, 4), register(second, 12, 4));
    let (size, load) = (bits(first, 5, 2), bits(first, 4, 1) == 1);
    if size == 0b11 {
        return None;
    }
    let word = size == 0b10;
    if load && base == PC {
        let offset = bits(second, 0, 12);
        let here = (address + 4) & !3;
        let at = if bits(first, 7, 1) == 1 { here + offset } else { here - offset };
        return match (word, target) {
            (true, PC) => None,
            (true, to) => Some(Operation::Literal { to, address: at }),
            (false, to) => Some(writes(to)),
        };
    }
    // For bytes and halfwords the program counter stands for a hint to the cache.
    let loads = if load && (word || target != PC) { 1 << target } else { 0 };
    let moves = bits(first, 7, 1) == 0 && bits(second, 11, 1) == 1 && bits(second, 8, 1) == 1;
    let offset = bits(second, 0, 8) as i32;
    match (base, moves) {
        (SP, true) => Some(Operation::Stack { by: if bits(second, 9, 1) == 1 { offset } else { -offset }, loads }),
        _ if loads == 1 << PC => None,
        (_, true) => Some(Operation::Writes(loads | 1 << base)),
        (_, false) => Some(Operation::Writes(loads)),
    }
}

/// Floating point: loads, stores and moves. Arithmetic changes no register of the core.
fn coprocessor(first: u32, second: u32) -> Option<Operation> {
    // Coprocessors 10 and 11 are the floating-point unit. Its newer instructions are arithmetic only.
    if bits(second, 9, 3) != 0b101 || bits(first, 12, 1) == 1 && bits(first, 8, 4) != 0b1110 {
        return None;
    }
    let base = register(first, 0, 4);
    let load = bits(first, 4, 1) == 1;
    Some(match bits(first, 8, 4) {
        // Two registers of the core.
        0b1100 if bits(first, 5, 3) == 0b010 && load => Operation::Writes(mask(base) | mask(register(second, 12, 4))),
        0b1100 if bits(first, 5, 3) == 0b010 => Operation::Writes(0),
        0b1100 | 0b1101 => {
            let bytes = 4 * bits(second, 0, 8) as i32;
            let up = bits(first, 7, 1) == 1;
            match (base, bits(first, 5, 1) == 1) {
                (SP, true) => Operation::Stack { by: if up { bytes } else { -bytes }, loads: 0 },
                (_, true) => writes(base),
                (_, false) => Operation::Writes(0),
            }
        }
        0b1110 if bits(first, 12, 1) == 0 && bits(second, 4, 1) == 1 && load => writes(register(second, 12, 4)),
        0b1110 => Operation::Writes(0),
        _ => return None,
    })
}
