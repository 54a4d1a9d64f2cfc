//! Kernels for a tracking learner's sample on cores with SMLAL: Cortex-M3 and up. Exact, like their
//! [portable](super::portable) twins.
//!
//! The features are those of the caller, which need not start at a multiple of 4: they are loaded one by one.

use core::arch::naked_asm;

use super::portable::RowSums;
use super::turn::TurnSums;

/// x · w, x · x, and all |x| combined by or.
///
/// # Safety
/// Both pointers point to `n` readable integers, `sums` to a writable [`RowSums`].
#[unsafe(naked)]
pub unsafe extern "C" fn row_sums(x: *const i16, w: *const i32, sums: *mut RowSums, n: usize) {
    macro_rules! next {
        ($w:literal) => {
            concat!(
                "ldrsh r10, [r0], #2\n smlal r4, r5, r10, ",
                $w,
                "\n smlal r6, r7, r10, r10\n eor r11, r10, r10, asr #31\n sub r11, r11, r10, asr #31\n",
                "orr r12, r12, r11\n",
            )
        };
    }
    naked_asm!(
        // r4:r5: x · w. r6:r7: x · x. r8, r9, lr: w. r10: x. r11: |x|. r12: all of them.
        "push {{r4-r11, lr}}",
        "movs r4, #0",
        "movs r5, #0",
        "movs r6, #0",
        "movs r7, #0",
        "mov r12, #0",
        "subs r3, #4",
        "blo 3f",
        "2:",
        "ldmia r1!, {{r8, r9}}",
        next!("r8"),
        next!("r9"),
        "ldmia r1!, {{r8, r9}}",
        next!("r8"),
        next!("r9"),
        "subs r3, #4",
        "bhs 2b",
        "3:",
        "adds r3, #4",
        "beq 5f",
        "4:",
        "ldr r8, [r1], #4",
        next!("r8"),
        "subs r3, #1",
        "bne 4b",
        "5:",
        "stmia r2!, {{r4-r7, r12}}",
        "pop {{r4-r11, pc}}",
    )
}

/// w ← w − factor · (x · 2^`by`) / 2³², rounded to nearest even. Returns how many weights saturated.
///
/// # Safety
/// `x` points to `n` readable integers, `w` to `n` writable ones that do not overlap with them.
#[unsafe(naked)]
pub unsafe extern "C" fn subtract_row(w: *mut i32, x: *const i16, n: usize, factor: i32, by: u32) -> u32 {
    /// One weight; `$saturate` and `$done` are labels.
    macro_rules! next {
        ($w:literal, $saturate:literal, $done:literal) => {
            concat!(
                "ldrsh r9, [r1], #2\n lsl r9, r9, r4\n smull r9, r10, r3, r9\n adds r9, r9, #0x80000000\n",
                // At a tie, back to an even number.
                "adc r10, r10, #0\n it eq\n biceq r10, r10, #1\n subs ",
                $w,
                ", ",
                $w,
                ", r10\n bvs ",
                $saturate,
                "f\n ",
                $done,
                ":\n",
            )
        };
    }
    /// After an overflow, the sign is the wrong one.
    macro_rules! saturate {
        ($w:literal, $saturate:literal, $done:literal) => {
            concat!(
                $saturate,
                ":\n asr ",
                $w,
                ", ",
                $w,
                ", #31\n eor ",
                $w,
                ", ",
                $w,
                ", #0x80000000\n",
                "add r12, r12, #1\n b ",
                $done,
                "b\n",
            )
        };
    }
    naked_asm!(
        // r3: factor. r4: by. r5–r8: w. r9, r10: x, then the change. r12: weights that saturated.
        "push {{r4-r10, lr}}",
        "ldr r4, [sp, #32]",
        "mov r12, #0",
        "subs r2, #4",
        "blo 3f",
        "2:",
        "ldmia r0, {{r5-r8}}",
        next!("r5", "20", "30"),
        next!("r6", "21", "31"),
        next!("r7", "22", "32"),
        next!("r8", "23", "33"),
        "stmia r0!, {{r5-r8}}",
        "subs r2, #4",
        "bhs 2b",
        "3:",
        "adds r2, #4",
        "beq 5f",
        "4:",
        "ldr r5, [r0]",
        next!("r5", "24", "34"),
        "str r5, [r0], #4",
        "subs r2, #1",
        "bne 4b",
        "5:",
        "mov r0, r12",
        "pop {{r4-r10, pc}}",
        saturate!("r5", "20", "30"),
        saturate!("r6", "21", "31"),
        saturate!("r7", "22", "32"),
        saturate!("r8", "23", "33"),
        saturate!("r5", "24", "34"),
    )
}

/// |b − a| in the lower word and |c − b| in the upper one, as [`ways`](super::turn::ways) specifies them.
///
/// # Safety
/// The first three pointers point to `n` readable integers each.
#[unsafe(naked)]
pub unsafe extern "C" fn ways(a: *const i32, b: *const i32, c: *const i32, n: usize) -> u64 {
    naked_asm!(
        // r4, r5: the magnitudes so far. r6, r7, r12: a, b, c.
        "push {{r4-r7, lr}}",
        "movs r4, #0",
        "movs r5, #0",
        "cmp r3, #0",
        "beq 3f",
        "2:",
        "ldr r6, [r0], #4",
        "ldr r7, [r1], #4",
        "ldr r12, [r2], #4",
        "subs r6, r7, r6",
        "it vs",
        "movvs r4, #-1",
        "it mi",
        "rsbmi r6, r6, #0",
        "orr r4, r4, r6",
        "subs r12, r12, r7",
        "it vs",
        "movvs r5, #-1",
        "it mi",
        "rsbmi r12, r12, #0",
        "orr r5, r5, r12",
        "subs r3, #1",
        "bne 2b",
        "3:",
        "mov r0, r4",
        "mov r1, r5",
        "pop {{r4-r7, pc}}",
    )
}

/// [`sums`](super::turn::sums), with the first shift in the second byte of `shifts`, and the second shift in the first.
///
/// # Safety
/// The first three pointers point to `n` readable integers each; `sums` points to a writable
/// [`TurnSums`].
#[unsafe(naked)]
pub unsafe extern "C" fn turn_sums(
    a: *const i32,
    b: *const i32,
    c: *const i32,
    n: usize,
    shifts: u32,
    sums: *mut TurnSums,
) {
    /// Rounds a word with 30 bits to a mantissa.
    macro_rules! round {
        ($x:literal) => {
            concat!(
                "ubfx lr, ",
                $x,
                ", #6, #1\n add ",
                $x,
                ", ",
                $x,
                ", lr\n add ",
                $x,
                ", ",
                $x,
                ", #31\n asr ",
                $x,
                ", ",
                $x,
                ", #6\n",
            )
        };
    }
    naked_asm!(
        // r4:r5, r6:r7, r8:r9: sums. r10: shifts. r11, r12: the ways before and after. lr: b, or a bit.
        "push {{r4-r11, lr}}",
        "ldr r10, [sp, #36]",
        "movs r4, #0",
        "movs r5, #0",
        "movs r6, #0",
        "movs r7, #0",
        "mov r8, #0",
        "mov r9, #0",
        "cmp r3, #0",
        "beq 3f",
        "2:",
        "ldr r11, [r0], #4",
        "ldr lr, [r1], #4",
        "ldr r12, [r2], #4",
        "sub r11, lr, r11",
        "sub r12, r12, lr",
        "lsl r12, r12, r10",
        "lsr lr, r10, #8",
        "lsl r11, r11, lr",
        round!("r11"),
        round!("r12"),
        "smlal r4, r5, r12, r11",
        "smlal r6, r7, r11, r11",
        "smlal r8, r9, r12, r12",
        "subs r3, #1",
        "bne 2b",
        "3:",
        "ldr r0, [sp, #40]",
        "stmia r0, {{r4-r9}}",
        "pop {{r4-r11, pc}}",
    )
}
