//! A tracking learner's whole sample in fixed point, on cores with SMLAL and an FPU: Cortex-M4F and up.
//!
//! Its parts, with calls and 64-bit shifts between them, are `fixed_point::direct`. With few features, more time is spent
//! between the loops than in them, so here all of it is one kernel.
//!
//! To round to even, the last bit of a number is shifted out to the carry, a half and that carry are subtracted from the
//! remainder, and the carry of this difference is added to the number.

use core::arch::naked_asm;

/// Enables the instructions: the assembler assumes the bare target for naked functions.
#[cfg(armv8m)]
macro_rules! core {
    () => {
        ".cpu cortex-m33\n .fpu fpv5-sp-d16"
    };
}
#[cfg(not(armv8m))]
macro_rules! core {
    () => {
        ".fpu fpv4-sp-d16"
    };
}

/// The next feature: x · w to r4:r5, x · x to r6:r7, and |x| to r12.
macro_rules! one {
    () => {
        "ldrsh r8, [r1], #2
        ldr r10, [r0], #4
        eor r9, r8, r8, asr #31
        sub r9, r9, r8, asr #31
        orr r12, r12, r9
        smlal r6, r7, r8, r8
        smlal r4, r5, r8, r10\n"
    };
}
/// The next two features, which need not be aligned, in the halves of r8. Both |x| to r12: 0 − x in the halves where that
/// is not negative; lr is 0.
#[cfg(has_dsp)]
macro_rules! two {
    () => {
        "ldr r8, [r1], #4
        ldmia r0!, {{r10, r11}}
        ssub16 r9, lr, r8
        sel r9, r9, r8
        orr r12, r12, r9
        smlald r6, r7, r8, r8
        sxth r9, r8
        asr r8, r8, #16
        smlal r4, r5, r9, r10
        smlal r4, r5, r8, r11\n"
    };
}
#[cfg(not(has_dsp))]
macro_rules! two {
    () => {
        concat!(one!(), one!())
    };
}

/// r6 · r7 / 2³² to r6, rounded.
#[cfg(has_dsp)]
macro_rules! upper_product {
    () => {
        "smmulr r6, r6, r7"
    };
}
#[cfg(not(has_dsp))]
macro_rules! upper_product {
    () => {
        "mov r10, #0x80000000
        mov r3, #0
        smlal r10, r3, r6, r7
        mov r6, r3"
    };
}

/// w ← w + r6 · (x · 2^r4) / 2³² with the next x; to `$saturate` if that overflows, and back to `$done`.
macro_rules! pull {
    ($w:literal, $saturate:literal, $done:literal) => {
        concat!(
            "ldrsh r2, [r1], #2
            lsl r2, r2, r4
            smull r2, r3, r6, r2
            lsrs r5, r3, #1
            sbcs r2, r2, #0x80000000
            adcs ",
            $w,
            ", ",
            $w,
            ", r3
            bvs ",
            $saturate,
            "f\n",
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
            ", #0x80000000\n add r7, r7, #1\n b ",
            $done,
            "b\n",
        )
    };
}

/// The row (x, `target`) pulls the weights w by the share `gain` of the way. Returns the bits of the error |φ·w − V|/‖φ‖ in
/// the lower word and how many weights saturated in the upper one; or a negative lower word if the row is to be built,
/// since it is unusual or refused: nothing has moved then.
///
/// # Safety
/// `x` points to `N` readable integers, `w` to `N` writable ones that do not overlap with them. `more` is the number of
/// fraction bits of x · w beyond 32.
#[unsafe(naked)]
pub unsafe extern "C" fn pull_integers<const N: usize>(
    w: *mut i32,
    x: *const i16,
    more: u32,
    target: f32,
    gain: f32,
) -> u64 {
    naked_asm!(
        core!(),
        "push {{r4-r11, lr}}",
        "movs r4, #0",
        "movs r5, #0",
        "movs r6, #0",
        "movs r7, #0",
        "mov r12, #0",
        "mov lr, #0",
        ".if {n} >= 20",
        "mov r3, #({n} / 4)",
        "2:",
        two!(),
        two!(),
        "subs r3, #1",
        "bne 2b",
        ".else",
        ".rept {n} / 4",
        two!(),
        two!(),
        ".endr",
        ".endif",
        ".if {n} & 2",
        two!(),
        ".endif",
        ".if {n} & 1",
        one!(),
        ".endif",
        "subw r0, r0, #(4 * {n})",
        "subw r1, r1, #(2 * {n})",
        // r12: how many bits the largest feature lacks; up to 9 leave enough room for the target.
        "orr r12, r12, r12, lsr #16",
        "uxth r12, r12",
        "clz r12, r12",
        "sub r12, r12, #17",
        "cmp r12, #9",
        "bhi 9f",
        // r9:r10: the target, rounded to 32 fraction bits, in units of x · w. r4:r5: x · w less that.
        "vmov r3, s0",
        "ubfx r8, r3, #23, #8",
        "ubfx r9, r3, #0, #23",
        "orr r9, r9, #0x800000",
        "sub r10, r8, #118",
        "cmp r10, #16",
        "bhi 5f",
        "eor r9, r9, r3, asr #31",
        "sub r9, r9, r3, asr #31",
        "add r10, r10, r2",
        "rsb r11, r10, #32",
        "lsl r10, r9, r10",
        "asr r9, r9, r11",
        "6:",
        "subs r4, r4, r10",
        "sbc r5, r5, r9",
        // r8: ‖x‖², rounded to 32 bits. r9: the exponent of its inverse.
        "cbz r7, 3f",
        "clz r9, r7",
        "lsl r8, r7, r9",
        "rsb r10, r9, #32",
        "lsr r11, r6, r10",
        "orr r8, r8, r11",
        "lsl r11, r6, r9",
        "lsrs r10, r8, #1",
        "sbcs r11, r11, #0x80000000",
        "adcs r8, r8, #0",
        "rsb r9, r9, #89",
        "bcs 7f",
        "b 4f",
        "3:",
        "clz r9, r6",
        "lsl r8, r6, r9",
        "rsb r9, r9, #57",
        "4:",
        // r11: 2⁵⁷/r8 to the nearest integer. It is never halfway between two. The inverse of the upper half has 16 bits,
        // one step of Newton's method doubles them, and the remainder tells if that is one too large or too small.
        "lsr r10, r8, #16",
        "mov r11, #-1",
        "udiv r11, r11, r10",
        "umull r6, r7, r11, r8",
        "lsr r6, r6, #8",
        "orr r6, r6, r7, lsl #24",
        "lsl r7, r11, #1",
        upper_product!(),
        "rsb r11, r6, r11, lsl #9",
        "umull r6, r7, r11, r8",
        "adds r6, r6, r8, lsr #1",
        "adc r7, r7, #0",
        "cmp r7, #0x2000000",
        "bne 8f",
        "cmp r6, r8",
        "bhs 8f",
        "23:",
        // r5: the quotient (x · w − V)/‖x‖² as in `quotient`: r4:r5 rounded to 26 bits, times r11.
        "add r3, r9, r12",
        "sub r3, r3, #73",
        "asr r10, r5, #31",
        "eor r4, r4, r10",
        "eor r5, r5, r10",
        "subs r4, r4, r10",
        "sbcs r5, r5, r10",
        "beq 24f",
        "25:",
        "clz r8, r5",
        "adds r3, r3, r8",
        "ble 9f",
        "lsl r5, r5, r8",
        "rsb r6, r8, #32",
        "lsr r6, r4, r6",
        "orr r5, r5, r6",
        "lsl r4, r4, r8",
        "and r6, r5, #64",
        "orr r4, r4, r6",
        "cmp r4, #1",
        "adcs r5, r5, #31",
        "rrx r5, r5",
        "bic r5, r5, #31",
        "lsl r6, r11, #5",
        "umull r4, r5, r5, r6",
        "rsb r6, r3, #32",
        "lsl r6, r5, r6",
        "lsr r5, r5, r3",
        "and r7, r5, #1",
        "orr r4, r4, r7",
        "cmp r4, #1",
        "sbcs r6, r6, #0x80000000",
        "adc r5, r5, #0",
        "eor r5, r5, r10",
        "sub r5, r5, r10",
        // s2: the quotient. s1: how much of x is added. s0: the error, |quotient| · ‖x‖. The units of both are powers of two,
        // which are added to the exponents.
        "vmov s2, r5",
        "vmov s3, r11",
        "vcvt.f32.s32 s2, s2",
        "vcvt.f32.u32 s3, s3",
        "rsb r9, r9, #60",
        "add r9, r9, r2, lsl #1",
        "sub r9, r9, r12, lsl #1",
        "vmov r8, s3",
        "vnmul.f32 s1, s1, s2",
        "add r8, r8, r9, lsl #23",
        "vmov s3, r8",
        "vmov r3, s1",
        // r6: the mantissa of that, with its sign, at the top of a word. r4: by how much a feature is shifted.
        "ubfx r4, r3, #23, #8",
        "lsl r6, r3, #8",
        "orr r6, r6, #0x80000000",
        "lsr r6, r6, #1",
        "eor r6, r6, r3, asr #31",
        "sub r6, r6, r3, asr #31",
        "add r4, r4, r12",
        "subs r4, r4, #138",
        "mov r7, #0",
        "cmp r4, #16",
        "bhi 26f",
        "27:",
        "vabs.f32 s2, s2",
        "vsqrt.f32 s3, s3",
        "vdiv.f32 s0, s2, s3",
        ".if {n} >= 4",
        "mov lr, #({n} / 4)",
        "2:",
        "ldmia r0, {{r8-r11}}",
        pull!("r8", "30", "40"),
        pull!("r9", "31", "41"),
        pull!("r10", "32", "42"),
        pull!("r11", "33", "43"),
        "stmia r0!, {{r8-r11}}",
        "subs lr, #1",
        "bne 2b",
        ".endif",
        ".if {n} & 3",
        "mov lr, #({n} & 3)",
        "2:",
        "ldr r8, [r0]",
        pull!("r8", "34", "44"),
        "str r8, [r0], #4",
        "subs lr, #1",
        "bne 2b",
        ".endif",
        "28:",
        "vmov r0, s0",
        "mov r1, r7",
        "pop {{r4-r11, pc}}",
        ".if {n} >= 4",
        saturate!("r8", "30", "40"),
        saturate!("r9", "31", "41"),
        saturate!("r10", "32", "42"),
        saturate!("r11", "33", "43"),
        ".endif",
        ".if {n} & 3",
        saturate!("r8", "34", "44"),
        ".endif",
        // A target below 2⁻⁹, or one that is too large.
        "5:",
        "cmp r10, #0",
        "bgt 9f",
        "rsb r10, r10, #0",
        "rsb r11, r10, #32",
        "lsr r8, r9, r10",
        "lsl r9, r9, r11",
        "lsrs r11, r8, #1",
        "sbcs r9, r9, #0x80000000",
        "adc r8, r8, #0",
        // More than all bits are shifted out.
        "cmp r10, #25",
        "it hs",
        "movhs r8, #0",
        "eor r8, r8, r3, asr #31",
        "sub r8, r8, r3, asr #31",
        "rsb r11, r2, #32",
        "lsl r10, r8, r2",
        "asr r9, r8, r11",
        "b 6b",
        "7:",
        "mov r11, #0x2000000",
        "b 23b",
        "8:",
        "cmp r7, #0x2000000",
        "ite lo",
        "addlo r11, r11, #1",
        "subhs r11, r11, #1",
        "b 23b",
        // A residual of one word.
        "24:",
        "movs r5, r4",
        "mov r4, #0",
        "add r3, r3, #32",
        "b 25b",
        // A small step, or one that is too large.
        "26:",
        "bgt 9f",
        "adds r5, r4, #7",
        "bmi 29f",
        "rsb r5, r4, #0",
        "asr r6, r6, r5",
        "mov r4, #0",
        "b 27b",
        // r5: by how much the upper word of a product is shifted to the right.
        "29:",
        "vabs.f32 s2, s2",
        "vsqrt.f32 s3, s3",
        "vdiv.f32 s0, s2, s3",
        "rsb r5, r4, #16",
        "cmp r5, #31",
        "bhi 28b",
        "rsb r4, r5, #32",
        "mov lr, #{n}",
        "2:",
        "ldrsh r2, [r1], #2",
        "ldr r8, [r0]",
        "lsl r2, r2, #16",
        "smull r2, r3, r6, r2",
        "asr r9, r3, r5",
        "lsl r3, r3, r4",
        "cmp r2, #0",
        "it ne",
        "orrne r3, r3, #1",
        "lsrs r10, r9, #1",
        "sbcs r3, r3, #0x80000000",
        "adcs r8, r8, r9",
        "bvs 35f",
        "45:",
        "str r8, [r0], #4",
        "subs lr, #1",
        "bne 2b",
        "b 28b",
        saturate!("r8", "35", "45"),
        "9:",
        "mov r0, #-1",
        "pop {{r4-r11, pc}}",
        n = const N,
    )
}
