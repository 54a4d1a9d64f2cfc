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

use thumb_audit::instruction::Class;

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

    /// The cycles of an instruction; `taken` if the next one is not the one after it.
    pub(super) fn cycles(self, class: Class, taken: bool) -> u32 {
        let own = match (self, class) {
            (_, Class::Single | Class::FloatPair) => 2,
            (_, Class::Double | Class::FloatMultiplyAdd) => 3,
            (_, Class::Multiple(words) | Class::Return(words)) => 1 + u32::from(words),
            (Self::M0, Class::System) => 4,
            (Self::M3, Class::MultiplyAdd) => 2,
            (Self::M3, Class::LongMultiply) => 5,
            (Self::M3, Class::LongMultiplyAdd) => 7,
            (_, Class::Divide) => 12,
            (_, Class::FloatDivide) => 14,
            _ => 1,
        };
        let refill = if self == Self::M0 && matches!(class, Class::Call | Class::Return(_)) { 3 } else { 2 };
        if taken { own + refill } else { own }
    }
}

#[cfg(test)]
mod tests {
    use thumb_audit::instruction::Instruction;

    use super::*;

    /// As an assembler encodes them: whether the branch is taken, and the cycles of the M0, M3 and M4; 0 where a core does
    /// not have the instruction.
    #[test]
    fn each_core_has_its_cycles_for_each_class() {
        for (code, taken, cycles, what) in [
            (0x6800, false, [2, 2, 2], "ldr r0, [r0]"),
            (0x5e88, false, [2, 2, 2], "ldrsh r0, [r1, r2]"),
            (0x4801, false, [2, 2, 2], "ldr r0, [pc, #4]"),
            (0x9001, false, [2, 2, 2], "str r0, [sp, #4]"),
            (0x4348, false, [1, 1, 1], "muls r0, r1"),
            (0x4148, false, [1, 1, 1], "adcs r0, r1"),
            (0x1840, false, [1, 1, 1], "adds r0, r0, r1"),
            (0x46c0, false, [1, 1, 1], "mov r8, r8"),
            (0xc90c, false, [3, 3, 3], "ldmia r1!, {r2, r3}"),
            (0xc0fe, false, [8, 8, 8], "stmia r0!, {r1-r7}"),
            (0xb5f0, false, [6, 6, 6], "push {r4-r7, lr}"),
            (0xbcf0, false, [5, 5, 5], "pop {r4-r7}"),
            (0xbdf0, true, [9, 8, 8], "pop {r4-r7, pc}"),
            (0xb086, false, [1, 1, 1], "sub sp, #24"),
            (0xd1fe, false, [1, 1, 1], "bne, not taken"),
            (0xd1fe, true, [3, 3, 3], "bne, taken"),
            (0xe7fe, true, [3, 3, 3], "b"),
            (0x4770, true, [3, 3, 3], "bx lr"),
            (0x4798, true, [3, 3, 3], "blx r3"),
            (0x46a7, true, [3, 3, 3], "mov pc, r4"),
            (0xf000_f87e, true, [4, 3, 3], "bl"),
            (0xf3ef_8010, false, [4, 1, 1], "mrs r0, primask"),
            (0xf3bf_8f4f, false, [4, 1, 1], "dsb"),
            (0xe8b2_0f00, false, [0, 5, 5], "ldmia r2!, {r8-r11}"),
            (0xe9d0_0100, false, [0, 3, 3], "ldrd r0, r1, [r0]"),
            (0xf8d0_0004, false, [0, 2, 2], "ldr.w r0, [r0, #4]"),
            (0xfb02_0103, false, [0, 2, 1], "mla r1, r2, r3, r0"),
            (0xfb02_0113, false, [0, 2, 1], "mls r1, r2, r3, r0"),
            (0xfb02_f103, false, [0, 1, 1], "mul r1, r2, r3"),
            (0xfb82_0103, false, [0, 5, 1], "smull r0, r1, r2, r3"),
            (0xfba2_0103, false, [0, 5, 1], "umull r0, r1, r2, r3"),
            (0xfbc2_0103, false, [0, 7, 1], "smlal r0, r1, r2, r3"),
            (0xfbe2_0103, false, [0, 7, 1], "umlal r0, r1, r2, r3"),
            (0xfb92_f1f3, false, [0, 12, 12], "sdiv r1, r2, r3"),
            (0xfbb0_f0f1, false, [0, 12, 12], "udiv r0, r0, r1"),
            (0xecb0_2a0c, false, [0, 0, 13], "vldmia r0!, {s4-s15}"),
            (0xed2d_8b10, false, [0, 0, 17], "vpush {d8-d15}"),
            (0xed90_0a00, false, [0, 0, 2], "vldr s0, [r0]"),
            (0xee20_0a01, false, [0, 0, 1], "vmul.f32 s0, s0, s2"),
            (0xee30_0a01, false, [0, 0, 1], "vadd.f32 s0, s0, s2"),
            (0xee00_0a01, false, [0, 0, 3], "vmla.f32 s0, s0, s2"),
            (0xee80_0a01, false, [0, 0, 14], "vdiv.f32 s0, s0, s2"),
            (0xeeb1_0ac0, false, [0, 0, 14], "vsqrt.f32 s0, s0"),
            (0xec41_0b10, false, [0, 0, 2], "vmov d0, r0, r1"),
        ] {
            let (first, second) = if code > 0xffff { (code >> 16, code & 0xffff) } else { (code, 0_u32) };
            let class = Instruction::decode(0x1000, first as u16, Some(second as u16)).unwrap().class;
            for (core, cycles) in [Core::M0, Core::M3, Core::M4].into_iter().zip(cycles).filter(|(_, known)| *known > 0)
            {
                assert_eq!(core.cycles(class, taken), cycles, "{what} on {core:?}");
            }
        }
    }
}
