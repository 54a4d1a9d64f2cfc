//! Kernels for cores whose only multiplication is 32 × 32 to 32 bits: Cortex-M0 and M0+. Exact, like their
//! [portable](super::portable) twins, which on these cores call a routine of about 25 instructions for each 64-bit
//! product.
//!
//! Instead, the other factor is split into [`SplitWeights`], so that products with a feature of 15 bits and a sign fit
//! 32 bits with room to spare, and several of them are added before widening. That is exact if no feature is −2¹⁵,
//! which holds for every row: encoding clamps to ±(2¹⁵ − 1). A feature of −2¹⁵ would only give a wrong sum.
//!
//! These are whole functions that follow the procedure call standard: `r0`–`r3` and `r12` are free, `r4`–`r11` are
//! saved. Only `r0`–`r7` can compute; the others can be moved, compared, and added without a carry, so they hold sums
//! and constants.

use core::arch::naked_asm;

/// Saves `r4` to `r11`, which takes 36 bytes of stack.
macro_rules! save {
    () => {
        "push {{r4-r7, lr}}
        mov r4, r8
        mov r5, r9
        mov r6, r10
        mov r7, r11
        push {{r4-r7}}"
    };
}

/// The same backwards, and returns.
macro_rules! restore {
    () => {
        "pop {{r4-r7}}
        mov r8, r4
        mov r9, r5
        mov r10, r6
        mov r11, r7
        pop {{r4-r7, pc}}"
    };
}

pub mod chosen;
mod quotient;
mod reciprocal;
mod split_weights;

pub use quotient::quotient;
pub use reciprocal::reciprocal;
use split_weights::dot_whole;
pub use split_weights::{Parts, SplitWeights};

/// Sums of products of the next two features with the upper (r4) and lower (r5) parts of their weights.
macro_rules! two {
    () => {
        "ldmia r0!, {{r2}}
        ldmia r1!, {{r4-r7}}
        sxth r3, r2
        asrs r2, r2, #16
        muls r4, r3, r4
        muls r5, r3, r5
        muls r6, r2, r6
        muls r7, r2, r7
        adds r4, r4, r6
        adds r5, r5, r7
        "
    };
}

/// The end of a block: r4 is its H, r5 its L, and a lower part has `$lower` bits.
macro_rules! close {
    ($lower:literal, $rest:literal) => {
        concat!(
            "add r12, r4\n add lr, r5\n asrs r5, r5, #",
            $lower,
            "\n adds r4, r4, r5\n asrs r4, r4, #",
            $rest,
            "\n add r8, r4\n"
        )
    };
}

/// x · w for weights in two parts, where the lower one has `$lower` bits.
///
/// H and L, the sums of a block's products with upper and lower parts, fit a word each. ΣH and ΣL modulo 2³² give the
/// result modulo 2³². The sum of blocks / 2²⁴, each rounded down, is less than 2⁶ units of 2²⁴ below the result, since
/// there are at most 64 blocks. Together they determine the 64-bit result: its low word modulo 2³², and its high word
/// from that bound.
macro_rules! dot {
    ($eight:expr, $lower:literal, $rest:literal) => {
        naked_asm!(
            // r12, lr: ΣH, ΣL. r8: the sum of blocks / 2²⁴. r9: the end of the blocks. On the stack: n.
            "push {{r4-r7, lr}}",
            "mov r4, r8",
            "mov r5, r9",
            "mov r6, r10",
            "mov r7, r11",
            "push {{r2, r4-r7}}",
            "movs r3, #0",
            "mov r8, r3",
            "mov r12, r3",
            "mov lr, r3",
            "lsrs r3, r2, #3",
            "beq 3f",
            "lsls r3, r3, #4",
            "adds r3, r0, r3",
            "mov r9, r3",
            "2:",
            $eight,
            "cmp r0, r9",
            "bne 2b",
            "3:",
            "ldr r2, [sp]",
            "movs r3, #6",
            "ands r3, r2",
            "beq 5f",
            "lsls r3, r3, #1",
            "adds r3, r0, r3",
            "mov r9, r3",
            "4:",
            concat!(two!(), close!($lower, $rest)),
            "cmp r0, r9",
            "bne 4b",
            "5:",
            "ldr r2, [sp]",
            "lsrs r2, r2, #1",
            "bcc 6f",
            "ldrh r2, [r0]",
            "sxth r2, r2",
            "ldmia r1!, {{r4, r5}}",
            "muls r4, r2, r4",
            "muls r5, r2, r5",
            close!($lower, $rest),
            "6:",
            // r0: the result modulo 2³². r1:r2: its lower bound. r3: the excess over that bound.
            "mov r0, r12",
            concat!("lsls r0, r0, #", $lower),
            "add r0, lr",
            "mov r1, r8",
            "lsls r2, r1, #24",
            "asrs r1, r1, #8",
            "subs r3, r0, r2",
            "movs r4, #0",
            "adds r3, r3, r2",
            "adcs r1, r4",
            "pop {{r2, r4-r7}}",
            "mov r8, r4",
            "mov r9, r5",
            "mov r10, r6",
            "mov r11, r7",
            "pop {{r4-r7, pc}}",
        )
    };
}

/// x · w for weights of any size in two parts: upper · 2¹⁶ + lower. Two products fit a word.
///
/// Exact for at most 128 features, none of them −2¹⁵, with upper parts in [−2¹⁵, 2¹⁵] and lower ones in [−2¹⁵, 2¹⁵).
///
/// # Safety
/// `x` is a multiple of 4 and points to `n` readable integers; `parts` points to an upper and a lower part for each.
#[unsafe(naked)]
pub unsafe extern "C" fn dot_wide(x: *const i16, parts: *const i32, n: usize) -> i64 {
    dot!(
        concat!(
            concat!(two!(), close!("16", "8")),
            concat!(two!(), close!("16", "8")),
            concat!(two!(), close!("16", "8")),
            concat!(two!(), close!("16", "8")),
        ),
        "16",
        "8"
    )
}

/// x · w for weights of up to 2²⁶ in two parts: upper · 2¹⁴ + lower. Eight products fit a word.
///
/// Exact like [`dot_wide`], but with upper parts in [−2¹², 2¹²] and lower ones in [−2¹³, 2¹³).
///
/// # Safety
/// As for [`dot_wide`].
#[unsafe(naked)]
pub unsafe extern "C" fn dot_narrow(x: *const i16, parts: *const i32, n: usize) -> i64 {
    dot!(
        concat!(
            // r10, r11: H and L so far.
            concat!(two!(), "mov r10, r4\n mov r11, r5\n"),
            concat!(two!(), "add r10, r4\n add r11, r5\n"),
            concat!(two!(), "add r10, r4\n add r11, r5\n"),
            concat!(two!(), "add r4, r10\n add r5, r11\n", close!("14", "10")),
        ),
        "14",
        "10"
    )
}

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
