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

/// [`turn_sums`](super::turn::turn_sums).
///
/// # Safety
/// The first three pointers point to `n` readable integers each, n > 0; `sums` points to a writable [`TurnSums`].
#[unsafe(naked)]
pub unsafe extern "C" fn turn_sums(a: *const i32, b: *const i32, c: *const i32, n: usize, sums: *mut TurnSums) {
    /// `$mantissa` ← a way of 32 bits, `$to` − `$from` shifted to the left by r11, rounded to a mantissa. Overwrites r12.
    macro_rules! mantissa {
        ($mantissa:literal, $to:literal, $from:literal) => {
            concat!(
                "subs r12, ",
                $to,
                ", ",
                $from,
                "\n lsl r12, r12, r11\n lsr ",
                $mantissa,
                ", r12, #8\n",
                // The sign is that of 33 bits.
                "it lt\n sublt ",
                $mantissa,
                ", #0x1000000\n lsl r12, r12, #24\n",
                // A tie rounds up from an odd number.
                "tst ",
                $mantissa,
                ", ",
                $mantissa,
                ", lsr #1\n sbcs r12, r12, #0x80000000\n adc ",
                $mantissa,
                ", ",
                $mantissa,
                ", #0\n",
            )
        };
    }
    naked_asm!(
        // r3: the offset of an element, from the last to the first. r4, r5: the magnitudes of the ways before and after.
        // r6, r7, r12: a, b, c.
        "subs r3, #1",
        "lsls r3, r3, #2",
        "push {{r3-r11, lr}}",
        "movs r4, #0",
        "movs r5, #0",
        "2:",
        "ldr r6, [r0, r3]",
        "ldr r7, [r1, r3]",
        "ldr r12, [r2, r3]",
        "subs r6, r7, r6",
        "it lt",
        "rsblt r6, r6, #0",
        "orrs r4, r6",
        "subs r7, r12, r7",
        "it lt",
        "rsblt r7, r7, #0",
        "orrs r5, r7",
        "subs r3, #4",
        "bpl 2b",
        // r11: the shifts, that of the way before in the lower half. r4:r5, r6:r7, r8:r9: sums. r10: b, then the way after.
        // lr: the way before.
        "clz r11, r4",
        "clz r12, r5",
        "orr r11, r11, r12, lsl #16",
        "ldr r3, [sp]",
        "movs r4, #0",
        "movs r5, #0",
        "movs r6, #0",
        "movs r7, #0",
        "mov r8, r4",
        "mov r9, r4",
        "3:",
        "ldr r10, [r1, r3]",
        "ldr r12, [r0, r3]",
        mantissa!("lr", "r10", "r12"),
        "ror r11, r11, #16",
        "ldr r12, [r2, r3]",
        mantissa!("r10", "r12", "r10"),
        "ror r11, r11, #16",
        "smlal r4, r5, r10, lr",
        "smlal r6, r7, lr, lr",
        "smlal r8, r9, r10, r10",
        "subs r3, #4",
        "bpl 3b",
        "ldr r0, [sp, #40]",
        "stmia r0!, {{r4-r9}}",
        "pop {{r3-r11, pc}}",
    )
}
