//! A whole pass over rows: the three kernels of a pair of rows, without the compiler's code between them.

use core::arch::naked_asm;

use super::super::add_scaled_pair;
use super::dot_halves;

/// Where things are in rows: a constant, so that the stack need not hold it.
#[repr(C)]
pub struct Layout {
    /// The number of features.
    pub n: usize,
    /// The bytes from one row to the next.
    pub stride: usize,
    /// The bytes from the features of a row, which come first, to its target (8 bytes), the mantissa (4) and the exponent
    /// (2) of 1/‖φ‖².
    pub tail: usize,
}

/// r · mantissa / 2^`shift` as [`quotient`](super::super::quotient) computes it, in place: its call would take
/// a sixth of its time.
///
/// r0:r1: r. r2: the mantissa. r3: its exponent. r11: the power of two of the quotients, plus 60. To r0, and to `$far` if
/// there is no result; `$small` is the place for an r of one word.
macro_rules! quotient {
    ($small:literal, $far:literal) => {
        concat!(
            // r12: the sign of r. r0:r1: its magnitude. r6: its leading zeros. A shift by 32 or more leaves nothing.
            "sub r3, r3, r11
            asr r12, r1, #31
            eor r0, r0, r12
            eor r1, r1, r12
            subs r0, r0, r12
            sbcs r1, r1, r12
            beq ",
            $small,
            "2f
            ",
            $small,
            "1:
            clz r6, r1
            adds r3, r3, r6
            ble ",
            $far,
            // r1: the leading bits, rounded to 26 bits in the upper bits of a word but one. One more bit of the others, or
            // an odd number, rounds a half up.
            "
            lsl r1, r1, r6
            rsb lr, r6, #32
            lsr lr, r0, lr
            orr r1, r1, lr
            lsl r0, r0, r6
            and lr, r1, #64
            orr r0, r0, lr
            cmp r0, #1
            adcs r1, r1, #31
            rrx r1, r1
            bic r1, r1, #31
            lsls r2, r2, #5
            umull r0, r1, r1, r2
            ",
            // The upper word and, at the top of lr, its remainder, which is rounded in the same way: with a carry for
            // what is more than a half.
            "rsb lr, r3, #32
            lsl lr, r1, lr
            lsr r1, r1, r3
            and r6, r1, #1
            orr r0, r0, r6
            cmp r0, #1
            sbcs lr, lr, #0x80000000
            adc r1, r1, #0
            eor r0, r1, r12
            sub r0, r0, r12
            "
        )
    };
}

/// Where an r of one word goes on: as if it were the upper one.
macro_rules! small {
    ($small:literal) => {
        concat!($small, "2: mov r1, r0\n movs r0, #0\n add r3, r3, #32\n b ", $small, "1b\n")
    };
}

/// sums ← sums + q · φ for both rows of the leading pairs, with q = (φ·w − target)/‖φ‖², or without the target. `by` is the
/// power of two of the quotients. Returns how many pairs are left: the next one has a quotient of too many bits.
macro_rules! pass {
    ($target:literal) => {
        naked_asm!(
            dsp!(),
            // r4: the row. r5: pairs left. r7: the halves. r8–r10: the layout. r11: by. On the stack: two quotients and the
            // sums.
            "push {{r4-r11, lr}}",
            "sub sp, #12",
            "mov r4, r1",
            "mov r5, r2",
            "str r3, [sp, #8]",
            "ldmia r0, {{r8-r10}}",
            "ldr r7, [sp, #48]",
            "ldr r11, [sp, #52]",
            "add r11, #60",
            "2:",
            "mov r0, r4",
            "mov r1, r7",
            "mov r2, r8",
            "bl {dot}",
            "add r12, r4, r10",
            $target,
            "ldr r2, [r12, #8]",
            "ldrh r3, [r12, #12]",
            quotient!("5", "3f"),
            "str r0, [sp]",
            "add r0, r4, r9",
            "mov r1, r7",
            "mov r2, r8",
            "bl {dot}",
            "add r12, r4, r9",
            "add r12, r10",
            $target,
            "ldr r2, [r12, #8]",
            "ldrh r3, [r12, #12]",
            quotient!("6", "3f"),
            "str r0, [sp, #4]",
            "ldr r0, [sp, #8]",
            "mov r1, r4",
            "add r2, r4, r9",
            "mov r3, r8",
            "bl {add}",
            "add r4, r4, r9, lsl #1",
            "subs r5, #1",
            "bne 2b",
            "3:",
            "mov r0, r5",
            "add sp, #12",
            "pop {{r4-r11, pc}}",
            small!("5"),
            small!("6"),
            dot = sym dot_halves,
            add = sym add_scaled_pair,
        )
    };
}

/// The pass with the targets.
///
/// # Safety
/// `rows` points to twice as many rows as there are `pairs`, at least one, laid out and aligned as the layout tells. `sums`
/// and `halves` are what [`add_scaled_pair`] and [`dot_halves`] need.
#[unsafe(naked)]
pub unsafe extern "C" fn residuals(
    layout: *const Layout,
    rows: *const i16,
    pairs: usize,
    sums: *mut i64,
    halves: *const u32,
    by: i32,
) -> usize {
    pass!("ldrd r2, r3, [r12]\n subs r0, r0, r2\n sbc r1, r1, r3")
}

/// The pass without them.
///
/// # Safety
/// As for [`residuals`].
#[unsafe(naked)]
pub unsafe extern "C" fn projections(
    layout: *const Layout,
    rows: *const i16,
    pairs: usize,
    sums: *mut i64,
    halves: *const u32,
    by: i32,
) -> usize {
    pass!("")
}
