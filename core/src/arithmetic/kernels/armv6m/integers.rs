//! The loops over the integers of rows.

use core::arch::naked_asm;

/// sum ← sum + p · a + q · b.
///
/// Upper and lower halves of the factors are in [−2¹⁵, 2¹⁵] and [−2¹⁵, 2¹⁵): a sum of two products fits a word, and so
/// does the sum of the upper products with the carry from the lower ones.
///
/// # Safety
/// `a` and `b` point to `n` readable integers each, `sum` to `n` writable ones that are not aliased.
#[unsafe(naked)]
pub unsafe extern "C" fn add_scaled_pair(sum: *mut i64, a: *const i16, b: *const i16, n: usize, p: i32, q: i32) {
    macro_rules! one {
        () => {
            "ldrsh r4, [r1, r3]
            mov r5, r8
            muls r5, r4, r5
            mov r6, r9
            muls r6, r4, r6
            ldrsh r4, [r2, r3]
            mov r7, r10
            muls r7, r4, r7
            adds r5, r5, r7
            mov r7, r11
            muls r4, r7, r4
            adds r4, r4, r6
            adds r3, #2
            asrs r7, r4, #16
            adds r7, r7, r5
            asrs r7, r7, #16
            lsls r5, r5, #16
            adds r4, r4, r5
            ldr r5, [r0]
            ldr r6, [r0, #4]
            adds r4, r4, r5
            adcs r7, r6
            stmia r0!, {{r4, r7}}
            "
        };
    }
    naked_asm!(
        // r8, r9: halves of p. r10, r11: halves of q. r3: offset in the rows. r12, lr: ends of the rows and of the
        // blocks.
        save!(),
        "ldr r4, [sp, #36]",
        "ldr r5, [sp, #40]",
        "sxth r6, r4",
        "sxth r7, r5",
        "mov r9, r6",
        "mov r11, r7",
        "asrs r4, r4, #15",
        "adds r4, #1",
        "asrs r4, r4, #1",
        "asrs r5, r5, #15",
        "adds r5, #1",
        "asrs r5, r5, #1",
        "mov r8, r4",
        "mov r10, r5",
        "lsls r4, r3, #1",
        "mov r12, r4",
        "lsrs r4, r3, #2",
        "lsls r4, r4, #3",
        "mov lr, r4",
        "movs r3, #0",
        "cmp r3, lr",
        "beq 3f",
        "2:",
        concat!(one!(), one!(), one!(), one!()),
        "cmp r3, lr",
        "bne 2b",
        "3:",
        "cmp r3, r12",
        "beq 5f",
        "4:",
        one!(),
        "cmp r3, r12",
        "bne 4b",
        "5:",
        restore!(),
    )
}

/// x · x: four squares fit a word.
///
/// # Safety
/// The pointer is a multiple of 4 and points to `n` readable integers.
#[unsafe(naked)]
pub unsafe extern "C" fn norm_squared(x: *const i16, n: usize) -> u64 {
    macro_rules! four {
        () => {
            "ldmia r0!, {{r4, r5}}
            sxth r6, r4
            sxth r7, r5
            asrs r4, r4, #16
            asrs r5, r5, #16
            muls r4, r4, r4
            muls r5, r5, r5
            muls r6, r6, r6
            muls r7, r7, r7
            adds r4, r4, r5
            adds r6, r6, r7
            adds r4, r4, r6
            adds r2, r2, r4
            adcs r3, r1
            "
        };
    }
    naked_asm!(
        // r2:r3: sum. r1: 0. r12: the end of blocks. lr: the end.
        "push {{r4-r7, lr}}",
        "lsls r2, r1, #1",
        "adds r2, r0, r2",
        "mov lr, r2",
        "lsrs r1, r1, #3",
        "lsls r1, r1, #4",
        "adds r1, r0, r1",
        "mov r12, r1",
        "movs r1, #0",
        "movs r2, #0",
        "movs r3, #0",
        "cmp r0, r12",
        "beq 3f",
        "2:",
        concat!(four!(), four!()),
        "cmp r0, r12",
        "bne 2b",
        "3:",
        "cmp r0, lr",
        "beq 5f",
        "4:",
        "ldrh r4, [r0]",
        "adds r0, #2",
        "sxth r4, r4",
        "muls r4, r4, r4",
        "adds r2, r2, r4",
        "adcs r3, r1",
        "cmp r0, lr",
        "bne 4b",
        "5:",
        "movs r0, r2",
        "movs r1, r3",
        "pop {{r4-r7, pc}}",
    )
}
