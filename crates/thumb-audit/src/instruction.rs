//! A Thumb instruction: what it does to the flow of control, to the stack pointer and to registers that hold addresses, and
//! the kind that its time depends on.

use crate::{thumb16, thumb32};

/// The stack pointer's number.
pub(crate) const SP: u8 = 13;
/// The link register's number.
pub(crate) const LR: u8 = 14;
/// The program counter's number.
pub(crate) const PC: u8 = 15;

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its length in bytes: 2 or 4.
    pub length: u32,
    /// What it does.
    pub(crate) operation: Operation,
    /// What its time depends on.
    pub class: Class,
}

/// What an instruction does, as far as stack and calls are concerned. Addresses are absolute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// Writes these registers (bit n: register n) with numbers that are not followed.
    Writes(u16),
    /// `to` becomes a number.
    Constant { to: u8, value: u32 },
    /// The upper half of `to` becomes a number.
    Top { to: u8, value: u32 },
    /// `to` becomes the word at an address.
    Literal { to: u8, address: u32 },
    /// `to` becomes `from` plus a number.
    Add { to: u8, from: u8, amount: i32 },
    /// `to` becomes `left` plus `right`.
    AddRegister { to: u8, left: u8, right: u8 },
    /// `to` becomes `left` minus `right`.
    SubtractRegister { to: u8, left: u8, right: u8 },
    /// `to` becomes `from`, shifted left.
    ShiftLeft { to: u8, from: u8, by: u8 },
    /// Keeps a register on the stack, this many bytes above the stack pointer.
    Spill { from: u8, offset: i32 },
    /// Takes a register back from there.
    Reload { to: u8, offset: i32 },
    /// Moves the stack pointer by this many bytes and loads these registers.
    Stack { by: i32, loads: u16 },
    /// Sets the main or process stack pointer from a register.
    SetStack { from: u8 },
    /// Continues elsewhere, always or perhaps.
    Branch { to: u32, always: bool },
    /// Calls a function.
    Call { to: u32 },
    /// Calls the function whose address is in a register.
    CallRegister { register: u8 },
    /// Continues at the address in a register.
    JumpRegister { register: u8 },
    /// Continues at an address that was taken from the table behind it, or lies in it.
    JumpIntoTable,
    /// Continues at one of the offsets in the table behind it: entries of one byte or two.
    JumpTable { wide: bool },
    /// Adds a register to the program counter: a table of offsets follows.
    AddToPc { register: u8 },
    /// Makes this many of the next instructions conditional.
    IfThen { count: u8 },
    /// Traps, or ends the program.
    Trap,
}

/// The kinds of instructions that take different times, on some core at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Class {
    /// Anything else.
    Simple,
    /// LDR, STR and their kin, VLDR, VSTR.
    Single,
    /// LDRD, STRD, exclusive loads and stores, and table branches.
    Double,
    /// LDM, STM, PUSH, POP, VLDM, VSTM of so many words.
    Multiple(u8),
    /// A POP of so many words that returns, of 16 bits.
    Return(u8),
    /// BL.
    Call,
    /// MLA, MLS.
    MultiplyAdd,
    /// SMULL, UMULL.
    LongMultiply,
    /// SMLAL, UMLAL, and those of halves.
    LongMultiplyAdd,
    /// SDIV, UDIV.
    Divide,
    /// MRS, MSR, barriers.
    System,
    /// VMLA and its kin.
    FloatMultiplyAdd,
    /// VDIV, VSQRT.
    FloatDivide,
    /// VMOV of two words.
    FloatPair,
}

impl Instruction {
    /// Decodes the halfwords at an address; `None` if they are not an instruction known here.
    pub fn decode(address: u32, first: u16, second: Option<u16>) -> Option<Self> {
        let (length, (operation, class)) = match first >> 11 {
            // The five upper bits tell the length.
            0b11101..=0b11111 => (4, thumb32::decode(address, first.into(), second?.into())?),
            _ => (2, thumb16::decode(address, first.into())?),
        };
        Some(Self { length, operation, class })
    }

    /// Whether it does nothing, or traps: what is between functions.
    pub(crate) fn is_padding(self) -> bool {
        match self.operation {
            Operation::Writes(0) | Operation::Trap => true,
            Operation::Add { to, from, amount: 0 } | Operation::ShiftLeft { to, from, by: 0 } => to == from,
            _ => false,
        }
    }
}

/// Bits `low + width − 1` to `low` of a number.
pub(crate) fn bits(word: u32, low: u32, width: u32) -> u32 {
    word >> low & ((1 << width) - 1)
}

/// A register's number, at these bits.
pub(crate) fn register(word: u32, low: u32, width: u32) -> u8 {
    bits(word, low, width) as u8
}

/// A number of `width` bits with a sign.
pub(crate) fn signed(word: u32, width: u32) -> i32 {
    ((word << (32 - width)) as i32) >> (32 - width)
}

/// The bit of a register. The program counter stands for none here.
pub(crate) fn mask(register: u8) -> u16 {
    if register == PC { 0 } else { 1 << register }
}

/// Writes one register.
pub(crate) fn writes(register: u8) -> Operation {
    Operation::Writes(mask(register))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instructions at 0x1000, as an assembler encodes them.
    #[test]
    fn what_moves_the_stack_and_the_flow_is_understood() {
        for (code, expected) in [
            // push {r4, r5, r6, lr}; pop {r4, pc}
            (0xb570_u32, Operation::Stack { by: -16, loads: 0 }),
            (0xbd10, Operation::Stack { by: 8, loads: 1 << 4 | 1 << PC }),
            // sub sp, #24; add sp, r6; mov sp, r7; add r7, sp, #12
            (0xb086, Operation::Stack { by: -24, loads: 0 }),
            (0x44b5, Operation::AddRegister { to: SP, left: SP, right: 6 }),
            (0x46bd, Operation::Add { to: SP, from: 7, amount: 0 }),
            (0xaf03, Operation::Add { to: 7, from: SP, amount: 12 }),
            // push.w {r8, r9, r10, r11}; pop.w {r8, r9, r10, pc}
            (0xe92d_0f00, Operation::Stack { by: -16, loads: 0 }),
            (0xe8bd_8700, Operation::Stack { by: 16, loads: 0b111 << 8 | 1 << PC }),
            // vpush {d8, d9}; vpop {s16}; str lr, [sp, #-8]!; ldr pc, [sp], #8; strd r0, r1, [sp, #-16]!
            (0xed2d_8b04, Operation::Stack { by: -16, loads: 0 }),
            (0xecbd_8a01, Operation::Stack { by: 4, loads: 0 }),
            (0xf84d_ed08, Operation::Stack { by: -8, loads: 0 }),
            (0xf85d_fb08, Operation::Stack { by: 8, loads: 1 << PC }),
            (0xe96d_0104, Operation::Stack { by: -16, loads: 0 }),
            // sub.w sp, sp, #4096; subw sp, sp, #1028; sub.w sp, sp, r4
            (0xf5ad_5d80, Operation::Add { to: SP, from: SP, amount: -4096 }),
            (0xf2ad_4d04, Operation::Add { to: SP, from: SP, amount: -1028 }),
            (0xebad_0d04, Operation::SubtractRegister { to: SP, left: SP, right: 4 }),
            // movw r0, #0x1234; movt r0, #0x2000; ldr r3, [pc, #8]; msr msp, r0
            (0xf241_2034, Operation::Constant { to: 0, value: 0x1234 }),
            (0xf2c2_0000, Operation::Top { to: 0, value: 0x2000 }),
            (0x4b02, Operation::Literal { to: 3, address: 0x100c }),
            (0xf380_8808, Operation::SetStack { from: 0 }),
            // bl 0x1100; b.w 0xf00; bne 0xff0; beq.w 0x1208; cbz r0, 0x1008; blx r4; bx lr; tbb [pc, r0]
            (0xf000_f87e, Operation::Call { to: 0x1100 }),
            (0xf7ff_bf7e, Operation::Branch { to: 0xf00, always: true }),
            (0xd1f6, Operation::Branch { to: 0xff0, always: false }),
            (0xf000_8102, Operation::Branch { to: 0x1208, always: false }),
            (0xb110, Operation::Branch { to: 0x1008, always: false }),
            (0x47a0, Operation::CallRegister { register: 4 }),
            (0x4770, Operation::JumpRegister { register: LR }),
            (0xe8df_f000, Operation::JumpTable { wide: false }),
            // itte ne; udf; vmul.f32 s0, s1, s2; vmov r2, s0; smull r0, r1, r2, r3
            (0xbf1a, Operation::IfThen { count: 3 }),
            (0xdefe, Operation::Trap),
            (0xee20_0a81, Operation::Writes(0)),
            (0xee10_2a10, Operation::Writes(1 << 2)),
            (0xfb82_0103, Operation::Writes(0b11)),
        ] {
            let (first, second) = if code > 0xffff { (code >> 16, code & 0xffff) } else { (code, 0) };
            let decoded = Instruction::decode(0x1000, first as u16, Some(second as u16));
            assert_eq!(decoded.map(|it| it.operation), Some(expected), "{code:x}");
        }
    }

    #[test]
    fn what_moves_the_stack_in_a_way_not_followed_is_unknown() {
        // ldmdb sp!, {r0}; stmia sp!, {r0}; ldmia r0, {pc}; a Neon load
        for code in [0xe93d_0001_u32, 0xe8ad_0001, 0xe890_8000, 0xf960_0000] {
            assert_eq!(Instruction::decode(0x1000, (code >> 16) as u16, Some(code as u16)), None, "{code:x}");
        }
    }
}
