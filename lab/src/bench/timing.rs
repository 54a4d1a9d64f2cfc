//! The cycles of an instruction on the cores that are modelled, for memory without wait states.
//!
//! | instruction | M0 | M3 | M4 |
//! | --- | --- | --- | --- |
//! | LDR, STR and their kin, VLDR, VSTR | 2 | 2 | 2 |
//! | LDRD, STRD | – | 3 | 3 |
//! | LDM, STM, PUSH, POP, VLDM, VSTM of n words | 1 + n | 1 + n | 1 + n |
//! | a branch that is taken | 3 | 3 | 3 |
//! | BL | 4 | 3 | 3 |
//! | POP of n words that returns | 4 + n | 3 + n | 3 + n |
//! | MULS, MUL | 1 | 1 | 1 |
//! | MLA, MLS | – | 2 | 1 |
//! | SMULL, UMULL | – | 5 (3 to 5) | 1 |
//! | SMLAL, UMLAL | – | 7 (4 to 7) | 1 |
//! | SDIV, UDIV | – | 12 (2 to 12) | 12 (2 to 12) |
//! | MRS, MSR, barriers | 4 | 1 | 1 |
//! | VDIV, VSQRT | – | – | 14 |
//! | VMLA and its kin | – | – | 3 |
//! | VMOV of two words | – | – | 2 |
//! | all others, among them SMLALD and the rest of the DSP extension | 1 | 1 | 1 |
//!
//! Sources: Arm's technical reference manuals, the tables of the instruction sets. Cortex-M0: DDI 0432C, section 3.3; its
//! MULS takes 1 or 32 cycles, as the chip's maker decides, and is 1 here, as on the nRF51822. Cortex-M3: DDI 0337,
//! "Cortex-M3 instructions". Cortex-M4: DDI 0439, "Cortex-M4 instructions" and "FPU instruction set". Where a manual gives a
//! range because the time depends on the operands, the model takes the most. The M3 shares all but its multiplications
//! with the M4, whose 64-bit products take one cycle: in fixed point, the M4's numbers would be far too good for an M3.
//!
//! Refilling the pipeline after a branch takes 1 to 3 cycles on the M3 and the M4, depending on the target's width and
//! alignment; the model takes 2, wherever the target is. Not modelled: consecutive loads overlap on the M3 and the M4 (the
//! model counts too many), and an FPU result is not ready for the very next instruction (it counts too few). Use the
//! model to compare code; it is no promise about a chip.

use crate::boards::Board;

/// A core whose cycles are modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// Cortex-M0 with the fast multiplier.
    M0,
    /// Cortex-M3.
    M3,
    /// Cortex-M4 with its FPU.
    M4,
}

impl Core {
    /// The core of a board, if it is modelled.
    pub fn of(board: &Board) -> Option<Self> {
        match board.core.as_str() {
            "Cortex-M0" => Some(Self::M0),
            "Cortex-M3" => Some(Self::M3),
            "Cortex-M4F" => Some(Self::M4),
            _ => None,
        }
    }

    /// The cycles of an instruction of one or two halfwords; `taken` if the next one is not the one after it.
    pub(super) fn cycles(self, first: u16, second: Option<u16>, taken: bool) -> u32 {
        let refill = match (self, second) {
            // BL, and a POP into the program counter.
            (Self::M0, Some(_)) => 3,
            (Self::M0, None) if first >> 9 == 0b101_1110 => 3,
            _ => 2,
        };
        let own = match (self, second) {
            (_, None) => narrow(first),
            (Self::M0, Some(_)) if taken => 1,
            // MRS, MSR and the barriers: an M0 has no other wide instructions.
            (Self::M0, Some(_)) => 4,
            (Self::M3, Some(second)) => long_product(first, second).unwrap_or_else(|| wide(first, second)),
            (Self::M4, Some(second)) => wide(first, second),
        };
        if taken { own + refill } else { own }
    }
}

/// Whether two halfwords, of which this is the first, make an instruction.
pub(super) fn is_wide(first: u16) -> bool {
    first >> 11 >= 0b11101
}

fn narrow(code: u16) -> u32 {
    let listed = u32::from(code & 0xff).count_ones();
    match code >> 12 {
        // Loads relative to the program counter; by register, by offset, relative to the stack.
        4 if code >> 11 == 0b01001 => 2,
        5..=9 => 2,
        // PUSH and POP, with or without the ninth register.
        11 if code & 0x0600 == 0x0400 => 1 + listed + u32::from(code >> 8 & 1),
        // STM and LDM.
        12 => 1 + listed,
        _ => 1,
    }
}

/// The multiplications that an M3 takes more than a cycle for.
fn long_product(first: u16, second: u16) -> Option<u32> {
    match first >> 4 {
        // Without an accumulator it is MUL.
        0xfb0 if second >> 12 != 0xf => Some(2),
        0xfb8 | 0xfba => Some(5),
        0xfbc | 0xfbe => Some(7),
        _ => None,
    }
}

fn wide(first: u16, second: u16) -> u32 {
    let top = first >> 4;
    match first >> 9 {
        // Load and store multiple; double.
        0b111_0100 if first & 0x40 == 0 => 1 + u32::from(second).count_ones(),
        0b111_0100 => 3,
        // Load and store single.
        0b111_1100 => 2,
        // Divisions, signed and unsigned; long multiplications take one.
        0b111_1101 if top == 0xfb9 || top == 0xfbb => 12,
        // FPU loads and stores, and moves of two words.
        0b111_0110 if second >> 9 & 7 == 0b101 => match first >> 4 & 0x1f {
            0b00100 | 0b00101 => 2,
            pubw if pubw & 0b10010 == 0b10000 => 2,
            _ => 1 + u32::from(second & 0xff),
        },
        // FPU arithmetic.
        0b111_0111 if second >> 9 & 7 == 0b101 && first & 0x100 == 0 && second & 0x10 == 0 => {
            match (first >> 4 & 0b1011, second >> 6 & 1) {
                (0b1000, _) => 14,
                (0b1011, 1) if first & 0xf == 1 && second & 0x80 != 0 => 14,
                // VMLA, VMLS and their negatives.
                (0b0000 | 0b0001, _) => 3,
                _ => 1,
            }
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As an assembler encodes them.
    #[test]
    fn classes_of_instructions_of_the_m4() {
        let narrow = |code| Core::M4.cycles(code, None, false);
        let wide = |first, second| Core::M4.cycles(first, Some(second), false);
        assert_eq!(narrow(0x6800), 2, "ldr r0, [r0]");
        assert_eq!(narrow(0xb5f0), 6, "push {{r4-r7, lr}}");
        assert_eq!(narrow(0xc90c), 3, "ldmia r1!, {{r2, r3}}");
        assert_eq!(narrow(0x1840), 1, "adds r0, r0, r1");
        assert_eq!(wide(0xecb0, 0x2a0c), 13, "vldmia r0!, {{s4-s15}}");
        assert_eq!(wide(0xed2d, 0x8b10), 17, "vpush {{d8-d15}}");
        assert_eq!(wide(0xed90, 0x0a00), 2, "vldr s0, [r0]");
        assert_eq!(wide(0xee20, 0x0a01), 1, "vmul.f32 s0, s0, s2");
        assert_eq!(wide(0xee30, 0x0a01), 1, "vadd.f32 s0, s0, s2");
        assert_eq!(wide(0xee00, 0x0a01), 3, "vmla.f32 s0, s0, s2");
        assert_eq!(wide(0xee80, 0x0a01), 14, "vdiv.f32 s0, s0, s2");
        assert_eq!(wide(0xeeb1, 0x0ac0), 14, "vsqrt.f32 s0, s0");
        assert_eq!(wide(0xec41, 0x0b10), 2, "vmov d0, r0, r1");
        assert_eq!(wide(0xe8b2, 0x0f00), 5, "ldmia r2!, {{r8-r11}}");
        assert_eq!(wide(0xe9d0, 0x0100), 3, "ldrd r0, r1, [r0]");
        assert_eq!(wide(0xfbc2, 0x0103), 1, "smlal r0, r1, r2, r3");
        assert_eq!(wide(0xfbb0, 0xf0f1), 12, "udiv r0, r0, r1");
        assert_eq!(wide(0xf8d0, 0x0004), 2, "ldr.w r0, [r0, #4]");
        assert_eq!(Core::M4.cycles(0xd1fe, None, true), 3, "bne, taken");
        assert_eq!(Core::M4.cycles(0xd1fe, None, false), 1, "bne, not taken");
        assert_eq!(Core::M4.cycles(0xbdf0, None, true), 8, "pop {{r4-r7, pc}}");
    }

    #[test]
    fn an_m3_multiplies_more_slowly_than_an_m4() {
        let codes = [
            (0xfb02, 0x0103, 2, 1, "mla r1, r2, r3, r0"),
            (0xfb02, 0x0113, 2, 1, "mls r1, r2, r3, r0"),
            (0xfb02, 0xf103, 1, 1, "mul r1, r2, r3"),
            (0xfb82, 0x0103, 5, 1, "smull r0, r1, r2, r3"),
            (0xfba2, 0x0103, 5, 1, "umull r0, r1, r2, r3"),
            (0xfbc2, 0x0103, 7, 1, "smlal r0, r1, r2, r3"),
            (0xfbe2, 0x0103, 7, 1, "umlal r0, r1, r2, r3"),
            (0xfb92, 0xf1f3, 12, 12, "sdiv r1, r2, r3"),
            (0xe8b2, 0x0f00, 5, 5, "ldmia r2!, {r8-r11}"),
        ];
        for (first, second, three, four, what) in codes {
            assert_eq!(Core::M3.cycles(first, Some(second), false), three, "{what}");
            assert_eq!(Core::M4.cycles(first, Some(second), false), four, "{what}");
        }
    }

    #[test]
    fn classes_of_instructions_of_the_m0() {
        let codes = [
            (0x6800, false, 2, "ldr r0, [r0]"),
            (0x5e88, false, 2, "ldrsh r0, [r1, r2]"),
            (0x4801, false, 2, "ldr r0, [pc, #4]"),
            (0x9001, false, 2, "str r0, [sp, #4]"),
            (0x4348, false, 1, "muls r0, r1"),
            (0x4148, false, 1, "adcs r0, r1"),
            (0x46c0, false, 1, "mov r8, r8"),
            (0xc90c, false, 3, "ldmia r1!, {r2, r3}"),
            (0xc0fe, false, 8, "stmia r0!, {r1-r7}"),
            (0xb5f0, false, 6, "push {r4-r7, lr}"),
            (0xbcf0, false, 5, "pop {r4-r7}"),
            (0xbdf0, true, 9, "pop {r4-r7, pc}"),
            (0xd1fe, false, 1, "bne, not taken"),
            (0xd1fe, true, 3, "bne, taken"),
            (0xe7fe, true, 3, "b"),
            (0x4770, true, 3, "bx lr"),
            (0x4798, true, 3, "blx r3"),
            (0x46a7, true, 3, "mov pc, r4"),
        ];
        for (code, taken, cycles, what) in codes {
            assert!(!is_wide(code), "{what}");
            assert_eq!(Core::M0.cycles(code, None, taken), cycles, "{what}");
        }
        assert!(is_wide(0xf000) && is_wide(0xf3ef) && is_wide(0xf3bf));
        assert_eq!(Core::M0.cycles(0xf000, Some(0xf800), true), 4, "bl");
        assert_eq!(Core::M0.cycles(0xf3ef, Some(0x8010), false), 4, "mrs r0, primask");
        assert_eq!(Core::M0.cycles(0xf3bf, Some(0x8f4f), false), 4, "dsb");
    }
}
