//! Kernels for cores with SMLAL (32 × 32 + 64 bits): Cortex-M3 and up. Exact, like their [portable](super::portable) twins.
//!
//! Features are loaded one by one, since LDRSH extends the sign on the way; two rows at a time share the loads of the weights
//! or of the sums, several per LDM. Where there is the DSP extension, SMLALD multiplies two features at once: by themselves, or
//! by weights that were split into halves once per pass.
//!
//! Whole functions, by the procedure call standard: `r0`–`r3` and `r12` are free, `r4`–`r11` are saved.

use core::arch::naked_asm;

/// The code for eight elements, over and over; then for one, over and over.
macro_rules! in_eights {
    ($count:literal, $eight:expr, $one:expr) => {
        concat!(
            "subs ",
            $count,
            ", #8\n blo 3f\n 2:\n",
            $eight,
            "subs ",
            $count,
            ", #8\n bhs 2b\n 3:\n",
            "adds ",
            $count,
            ", #8\n beq 5f\n 4:\n",
            $one,
            "subs ",
            $count,
            ", #1\n bne 4b\n 5:\n",
        )
    };
}

/// SMLAL of the next feature of `$x` by `$w`, into `$sum`.
macro_rules! next {
    ($x:literal * $w:literal + $sum:literal) => {
        concat!("ldrsh lr, [", $x, "], #2\n smlal ", $sum, ", lr, ", $w, "\n")
    };
}

/// a · w and b · w.
///
/// # Safety
/// All pointers lead to `n` readable integers each, and `sums` to two writable ones.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn dot_pair(a: *const i16, b: *const i16, w: *const i32, n: usize, sums: *mut i64) {
    naked_asm!(
        // r4:r5, r6:r7: sums. r8–r11: w. lr: a feature.
        "push {{r4-r11, lr}}",
        "movs r4, #0",
        "movs r5, #0",
        "movs r6, #0",
        "movs r7, #0",
        in_eights!(
            "r3",
            concat!(
                "ldmia r2!, {{r8-r11}}\n",
                next!("r0" * "r8" + "r4, r5"),
                next!("r1" * "r8" + "r6, r7"),
                next!("r0" * "r9" + "r4, r5"),
                next!("r1" * "r9" + "r6, r7"),
                next!("r0" * "r10" + "r4, r5"),
                next!("r1" * "r10" + "r6, r7"),
                next!("r0" * "r11" + "r4, r5"),
                next!("r1" * "r11" + "r6, r7"),
                "ldmia r2!, {{r8-r11}}\n",
                next!("r0" * "r8" + "r4, r5"),
                next!("r1" * "r8" + "r6, r7"),
                next!("r0" * "r9" + "r4, r5"),
                next!("r1" * "r9" + "r6, r7"),
                next!("r0" * "r10" + "r4, r5"),
                next!("r1" * "r10" + "r6, r7"),
                next!("r0" * "r11" + "r4, r5"),
                next!("r1" * "r11" + "r6, r7"),
            ),
            concat!("ldr r8, [r2], #4\n", next!("r0" * "r8" + "r4, r5"), next!("r1" * "r8" + "r6, r7"))
        ),
        "ldr r0, [sp, #36]",
        "stmia r0, {{r4-r7}}",
        "pop {{r4-r11, pc}}",
    )
}

/// sum ← sum + p · a + q · b.
///
/// # Safety
/// `a` and `b` lead to `n` readable integers each, `sum` to `n` writable ones, none of which is theirs.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn add_scaled_pair(sum: *mut i64, a: *const i16, b: *const i16, n: usize, p: i32, q: i32) {
    macro_rules! four {
        () => {
            concat!(
                "ldmia r0, {{r5-r12}}\n",
                next!("r1" * "r3" + "r5, r6"),
                next!("r2" * "r4" + "r5, r6"),
                next!("r1" * "r3" + "r7, r8"),
                next!("r2" * "r4" + "r7, r8"),
                next!("r1" * "r3" + "r9, r10"),
                next!("r2" * "r4" + "r9, r10"),
                next!("r1" * "r3" + "r11, r12"),
                next!("r2" * "r4" + "r11, r12"),
                "stmia r0!, {{r5-r12}}\n",
            )
        };
    }
    naked_asm!(
        // r3, r4: p, q. r5–r12: four sums. lr: a feature. On the stack: where the blocks of sixteen
        // end, and how many elements are left then.
        "push {{r4-r11, lr}}",
        "bic r12, r3, #15",
        "add r12, r0, r12, lsl #3",
        "and lr, r3, #15",
        "push {{r12, lr}}",
        "ldrd r3, r4, [sp, #44]",
        "cmp r0, r12",
        "beq 3f",
        "2:",
        concat!(four!(), four!(), four!(), four!()),
        "ldr lr, [sp]",
        "cmp r0, lr",
        "bne 2b",
        "3:",
        "ldr lr, [sp, #4]",
        "subs lr, #4",
        "blo 4f",
        "str lr, [sp, #4]",
        four!(),
        "b 3b",
        "4:",
        "adds r12, lr, #4",
        "beq 6f",
        "5:",
        "ldrd r5, r6, [r0]",
        next!("r1" * "r3" + "r5, r6"),
        next!("r2" * "r4" + "r5, r6"),
        "strd r5, r6, [r0], #8",
        "subs r12, #1",
        "bne 5b",
        "6:",
        "add sp, #8",
        "pop {{r4-r11, pc}}",
    )
}

/// x · x.
///
/// # Safety
/// The pointer leads to `n` readable integers.
#[cfg(not(has_dsp))]
#[unsafe(naked)]
pub(super) unsafe extern "C" fn norm_squared(x: *const i16, n: usize) -> i64 {
    naked_asm!(
        // r2:r3: sum. lr: a feature.
        "push {{r4, lr}}",
        "movs r2, #0",
        "movs r3, #0",
        in_eights!(
            "r1",
            concat!(
                next!("r0" * "lr" + "r2, r3"),
                next!("r0" * "lr" + "r2, r3"),
                next!("r0" * "lr" + "r2, r3"),
                next!("r0" * "lr" + "r2, r3"),
                next!("r0" * "lr" + "r2, r3"),
                next!("r0" * "lr" + "r2, r3"),
                next!("r0" * "lr" + "r2, r3"),
                next!("r0" * "lr" + "r2, r3"),
            ),
            next!("r0" * "lr" + "r2, r3")
        ),
        "mov r0, r2",
        "mov r1, r3",
        "pop {{r4, pc}}",
    )
}

/// x · x.
///
/// # Safety
/// The pointer is a multiple of 4, and leads to `n` readable integers.
#[cfg(has_dsp)]
#[unsafe(naked)]
pub(super) unsafe extern "C" fn norm_squared(x: *const i16, n: usize) -> i64 {
    naked_asm!(
        // r2:r3: sum. r4–r11: sixteen features.
        "push {{r4-r11, lr}}",
        "movs r2, #0",
        "movs r3, #0",
        "subs r1, #16",
        "blo 3f",
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
        "adds r1, #14",
        "bmi 5f",
        "4:",
        "ldr r4, [r0], #4",
        "smlald r2, r3, r4, r4",
        "subs r1, #2",
        "bpl 4b",
        "5:",
        "adds r1, #2",
        "itt ne",
        "ldrshne r4, [r0]",
        "smlalne r2, r3, r4, r4",
        "mov r0, r2",
        "mov r1, r3",
        "pop {{r4-r11, pc}}",
    )
}

/// x · w for weights in halves: for each pair of them, a word of their upper and a word of their lower halves.
///
/// # Safety
/// `x` is a multiple of 4, and leads to `n` readable integers; `halves` leads to `n` words, or `n + 1` where `n` is odd.
#[cfg(has_dsp)]
#[unsafe(naked)]
pub(super) unsafe extern "C" fn dot_halves(x: *const i16, halves: *const u32, n: usize) -> i64 {
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
        // r4:r5, r6:r7: sums with the upper and lower halves. r8, r9: four features. r10–r12, lr: four weights.
        "push {{r4-r11, lr}}",
        "movs r4, #0",
        "movs r5, #0",
        "movs r6, #0",
        "movs r7, #0",
        "subs r2, #16",
        "blo 3f",
        "2:",
        concat!(four!(), four!(), four!(), four!()),
        "subs r2, #16",
        "bhs 2b",
        "3:",
        "adds r2, #14",
        "bmi 5f",
        "4:",
        "ldr r8, [r0], #4",
        "ldmia r1!, {{r10, r11}}",
        "smlald r4, r5, r8, r10",
        "smlald r6, r7, r8, r11",
        "subs r2, #2",
        "bpl 4b",
        "5:",
        "adds r2, #2",
        "beq 6f",
        // An odd one: the second halves of its words are zero.
        "ldrsh r8, [r0]",
        "ldmia r1!, {{r10, r11}}",
        "smlald r4, r5, r8, r10",
        "smlald r6, r7, r8, r11",
        "6:",
        "lsl r5, r5, #16",
        "orr r5, r5, r4, lsr #16",
        "adds r0, r6, r4, lsl #16",
        "adc r1, r7, r5",
        "pop {{r4-r11, pc}}",
    )
}

/// Writes the halves of weights, for [`dot_halves`]; returns 0 where an upper half does not fit 16 bits.
///
/// # Safety
/// `w` leads to `n` readable integers, `halves` to `n` writable words, or `n + 1` where `n` is odd.
#[cfg(has_dsp)]
#[unsafe(naked)]
pub(super) unsafe extern "C" fn halve(w: *const i32, halves: *mut u32, n: usize) -> u32 {
    naked_asm!(
        // r3: whether all fit. r12: what rounding to a multiple of 2¹⁶ adds: the lower halves are signed.
        "push {{r4-r7}}",
        "movs r3, #1",
        "mov r12, #0x8000",
        "subs r2, #2",
        "blo 3f",
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
