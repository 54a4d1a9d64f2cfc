//! Kernels for rows of 16-bit integers on cores with the DSP extension, which multiplies two features at once: by
//! themselves, or by weights that were split into halves once per pass.

use core::arch::naked_asm;

/// Enables the extension: the assembler assumes the bare target for naked functions, which may have none.
#[cfg(armv8m)]
macro_rules! dsp {
    () => {
        ".cpu cortex-m33"
    };
}
#[cfg(not(armv8m))]
macro_rules! dsp {
    () => {
        ""
    };
}

pub mod pass;
mod split_weights;

pub use split_weights::{SplitWeights, Words};

/// x · x.
///
/// # Safety
/// The pointer is a multiple of 4 and points to `n` readable integers.
#[unsafe(naked)]
pub unsafe extern "C" fn norm_squared(x: *const i16, n: usize) -> i64 {
    naked_asm!(
        dsp!(),
        // r2:r3: sum. r4–r11: sixteen features.
        "push {{r4-r11, lr}}",
        "movs r2, #0",
        "movs r3, #0",
        "subs r1, #16",
        "blo 3f",
        ".p2align 2",
        "2:",
        "ldmia r0!, {{r4-r11}}",
        "smlald r2, r3, r4, r4",
        "smlald r2, r3, r5, r5",
        "smlald r2, r3, r6, r6",
        "smlald r2, r3, r7, r7",
        "smlald r2, r3, r8, r8",
        "smlald r2, r3, r9, r9",
        "smlald r2, r3, r10, r10",
        "smlald r2, r3, r11, r11",
        "subs r1, #16",
        "bhs 2b",
        "3:",
        "adds r1, #12",
        "bmi 5f",
        ".p2align 2",
        "4:",
        "ldmia r0!, {{r4, r5}}",
        "smlald r2, r3, r4, r4",
        "smlald r2, r3, r5, r5",
        "subs r1, #4",
        "bpl 4b",
        "5:",
        // The number of elements left, minus four: bit 1 becomes the carry, bit 0 the sign.
        "lsls r1, r1, #31",
        "bcc 6f",
        "ldr r4, [r0], #4",
        "smlald r2, r3, r4, r4",
        "6:",
        "bpl 7f",
        "ldrsh r4, [r0]",
        "smlal r2, r3, r4, r4",
        "7:",
        "mov r0, r2",
        "mov r1, r3",
        "pop {{r4-r11, pc}}",
    )
}

/// x · w for weights in halves: for each pair of weights, a word of their upper halves and a word of their lower
/// halves.
///
/// # Safety
/// `x` is a multiple of 4 and points to `n` readable integers; `halves` points to `n` words, or `n + 1` if `n` is odd.
#[unsafe(naked)]
pub unsafe extern "C" fn dot_halves(x: *const i16, halves: *const u32, n: usize) -> i64 {
    macro_rules! four {
        () => {
            "ldmia r0!, {{r8, r9}}
            ldmia r1!, {{r10-r12, lr}}
            smlald r4, r5, r8, r10
            smlald r6, r7, r8, r11
            smlald r4, r5, r9, r12
            smlald r6, r7, r9, lr
            "
        };
    }
    naked_asm!(
        dsp!(),
        // r4:r5, r6:r7: sums with the upper and lower halves. r8, r9: four features. r10–r12, lr: four weights.
        "push {{r4-r11, lr}}",
        "movs r4, #0",
        "movs r5, #0",
        "movs r6, #0",
        "movs r7, #0",
        "subs r2, #16",
        "blo 3f",
        ".p2align 2",
        "2:",
        concat!(four!(), four!(), four!(), four!()),
        "subs r2, #16",
        "bhs 2b",
        "3:",
        "adds r2, #12",
        "bmi 5f",
        ".p2align 2",
        "4:",
        four!(),
        "subs r2, #4",
        "bpl 4b",
        "5:",
        "lsls r2, r2, #30",
        "beq 7f",
        "bpl 6f",
        "ldr r8, [r0], #4",
        "ldmia r1!, {{r10, r11}}",
        "smlald r4, r5, r8, r10",
        "smlald r6, r7, r8, r11",
        "6:",
        "lsls r2, r2, #1",
        "bpl 7f",
        // An odd element: the second halves of its words are zero.
        "ldrsh r8, [r0]",
        "ldmia r1!, {{r10, r11}}",
        "smlald r4, r5, r8, r10",
        "smlald r6, r7, r8, r11",
        "7:",
        "lsl r5, r5, #16",
        "orr r5, r5, r4, lsr #16",
        "adds r0, r6, r4, lsl #16",
        "adc r1, r7, r5",
        "pop {{r4-r11, pc}}",
    )
}

/// Writes the halves of weights for [`dot_halves`]. Returns 0 if an upper half does not fit 16 bits.
///
/// # Safety
/// `w` points to `n` readable integers, `halves` to `n` writable words, or `n + 1` if `n` is odd.
#[unsafe(naked)]
pub unsafe extern "C" fn halve(w: *const i32, halves: *mut u32, n: usize) -> u32 {
    naked_asm!(
        dsp!(),
        // r3: whether all fit. r12: the rounding constant for a multiple of 2¹⁶, since the lower halves are signed.
        "push {{r4-r7}}",
        "movs r3, #1",
        "mov r12, #0x8000",
        "subs r2, #2",
        "blo 3f",
        ".p2align 2",
        "2:",
        "ldmia r0!, {{r4, r5}}",
        "adds r6, r4, r12",
        "it vs",
        "movvs r3, #0",
        "adds r7, r5, r12",
        "it vs",
        "movvs r3, #0",
        "pkhtb r6, r7, r6, asr #16",
        "pkhbt r7, r4, r5, lsl #16",
        "stmia r1!, {{r6, r7}}",
        "subs r2, #2",
        "bhs 2b",
        "3:",
        "adds r2, #2",
        "beq 4f",
        "ldr r4, [r0]",
        "adds r6, r4, r12",
        "it vs",
        "movvs r3, #0",
        "lsr r6, r6, #16",
        "uxth r7, r4",
        "stmia r1!, {{r6, r7}}",
        "4:",
        "mov r0, r3",
        "pop {{r4-r7}}",
        "bx lr",
    )
}
