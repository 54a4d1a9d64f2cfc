//! The loops over the integers of rows.

use core::arch::naked_asm;

/// Repeats the code for eight elements, then runs it for a tail of four, two and one.
macro_rules! in_eights {
    ($count:literal, $eight:expr, $four:expr, $two:expr, $one:expr) => {
        concat!(
            "subs ",
            $count,
            ", #8\n blo 3f\n .p2align 2\n 2:\n",
            $eight,
            "subs ",
            $count,
            ", #8\n bhs 2b\n 3:\n",
            // The number of elements left, minus eight: bit 2 becomes the carry, bit 1 the sign.
            "lsls ",
            $count,
            ", #30\n bcc 4f\n",
            $four,
            "4:\n bpl 5f\n",
            $two,
            "5:\n lsls ",
            $count,
            ", #1\n bpl 6f\n",
            $one,
            "6:\n",
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
/// All input pointers point to `n` readable integers each, `sums` to two writable ones.
#[unsafe(naked)]
pub unsafe extern "C" fn dot_pair(a: *const i16, b: *const i16, w: *const i32, n: usize, sums: *mut i64) {
    macro_rules! four {
        () => {
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
            )
        };
    }
    naked_asm!(
        // r4:r5, r6:r7: sums. r8–r11: w. lr: a feature.
        "push {{r4-r11, lr}}",
        "movs r4, #0",
        "movs r5, #0",
        "movs r6, #0",
        "movs r7, #0",
        in_eights!(
            "r3",
            concat!(four!(), four!()),
            four!(),
            concat!(
                "ldmia r2!, {{r8, r9}}\n",
                next!("r0" * "r8" + "r4, r5"),
                next!("r1" * "r8" + "r6, r7"),
                next!("r0" * "r9" + "r4, r5"),
                next!("r1" * "r9" + "r6, r7"),
            ),
            concat!("ldr r8, [r2]\n", next!("r0" * "r8" + "r4, r5"), next!("r1" * "r8" + "r6, r7"))
        ),
        "ldr r0, [sp, #36]",
        "stmia r0, {{r4-r7}}",
        "pop {{r4-r11, pc}}",
    )
}

/// sum ← sum + p · a + q · b.
///
/// # Safety
/// `a` and `b` point to `n` readable integers each, `sum` to `n` writable ones that are not aliased.
#[unsafe(naked)]
pub unsafe extern "C" fn add_scaled_pair(sum: *mut i64, a: *const i16, b: *const i16, n: usize, p: i32, q: i32) {
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
        // r3, r4: p, q. r5–r12: four sums. lr: a feature. On the stack: the end of the blocks of sixteen, the end of
        // those of four, and the number of elements.
        "push {{r4-r11, lr}}",
        "bic r12, r3, #15",
        "add r12, r0, r12, lsl #3",
        "bic lr, r3, #3",
        "add lr, r0, lr, lsl #3",
        "push {{r3, r12, lr}}",
        "ldrd r3, r4, [sp, #48]",
        // Wide, so that the loop begins at a word.
        "cmp.w r0, r12",
        "beq 3f",
        ".p2align 2",
        "2:",
        concat!(four!(), four!(), four!(), four!()),
        "ldr lr, [sp, #4]",
        "cmp r0, lr",
        "bne 2b",
        "3:",
        "ldr lr, [sp, #8]",
        "cmp.w r0, lr",
        "beq 5f",
        ".p2align 2",
        "4:",
        four!(),
        "ldr lr, [sp, #8]",
        "cmp r0, lr",
        "bne 4b",
        "5:",
        // Bit 1 of the number of elements becomes the sign, and then bit 0.
        "ldr r12, [sp]",
        "lsls r12, r12, #30",
        "beq 7f",
        "bpl 6f",
        "ldmia r0, {{r5-r8}}",
        next!("r1" * "r3" + "r5, r6"),
        next!("r2" * "r4" + "r5, r6"),
        next!("r1" * "r3" + "r7, r8"),
        next!("r2" * "r4" + "r7, r8"),
        "stmia r0!, {{r5-r8}}",
        "6:",
        "lsls r12, r12, #1",
        "bpl 7f",
        "ldrd r5, r6, [r0]",
        next!("r1" * "r3" + "r5, r6"),
        next!("r2" * "r4" + "r5, r6"),
        "strd r5, r6, [r0]",
        "7:",
        "add sp, #12",
        "pop {{r4-r11, pc}}",
    )
}

/// x · x.
///
/// # Safety
/// The pointer points to `n` readable integers.
#[cfg(not(has_dsp))]
#[unsafe(naked)]
pub unsafe extern "C" fn norm_squared(x: *const i16, n: usize) -> i64 {
    macro_rules! four {
        () => {
            concat!(
                next!("r0" * "lr" + "r2, r3"),
                next!("r0" * "lr" + "r2, r3"),
                next!("r0" * "lr" + "r2, r3"),
                next!("r0" * "lr" + "r2, r3"),
            )
        };
    }
    naked_asm!(
        // r2:r3: sum. lr: a feature.
        "push.w {{r4, lr}}",
        "movs r2, #0",
        "movs r3, #0",
        in_eights!(
            "r1",
            concat!(four!(), four!()),
            four!(),
            concat!(next!("r0" * "lr" + "r2, r3"), next!("r0" * "lr" + "r2, r3")),
            next!("r0" * "lr" + "r2, r3")
        ),
        "mov r0, r2",
        "mov r1, r3",
        "pop {{r4, pc}}",
    )
}
