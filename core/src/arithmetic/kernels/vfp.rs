//! Kernels for the single-precision FPU of a Cortex-M4F, M7 or M33, with the bits of their [portable](super::portable) twins.
//!
//! What costs time in a plain loop is not the arithmetic but the loads: here one VLDM brings twelve numbers, and two rows at
//! a time share those of the weights or of the sum. Products and sums are VMUL and VADD, one rounding each: VMLA would save
//! instructions and lose time (three cycles against two on an M4), VFMA would change the bits.
//!
//! Whole functions, by the procedure call standard: `s0`–`s15`, `r0`–`r3` and `r12` are free, `d8`–`d15` are saved.

use core::arch::naked_asm;

/// The assembler takes a function like these for one of the bare target, which has no FPU.
macro_rules! fpu {
    () => {
        ".fpu fpv4-sp-d16"
    };
}

/// VMUL for each `x*w`: sx ← sx · sw.
macro_rules! multiply {
    ($($x:literal*$w:literal)*) => { concat!($("vmul.f32 s", $x, ", s", $x, ", s", $w, "\n",)*) };
}

/// VADD for each `y+x`: sy ← sy + sx. Neighbours have different y, so that none waits for the one before.
macro_rules! add {
    ($($y:literal+$x:literal)*) => { concat!($("vadd.f32 s", $y, ", s", $y, ", s", $x, "\n",)*) };
}

/// VSUB for each `x-y`: sx ← sx − sy.
macro_rules! subtract {
    ($($x:literal-$y:literal)*) => { concat!($("vsub.f32 s", $x, ", s", $x, ", s", $y, "\n",)*) };
}

/// Goes through `$count` elements four by four, then one by one.
macro_rules! in_fours {
    ($count:literal, $four:expr, $one:expr) => {
        concat!(
            "subs ",
            $count,
            ", #4\n blo 3f\n 2:\n",
            $four,
            "subs ",
            $count,
            ", #4\n bhs 2b\n 3:\n",
            "adds ",
            $count,
            ", #4\n beq 5f\n 4:\n",
            $one,
            "subs ",
            $count,
            ", #1\n bne 4b\n 5:\n",
        )
    };
}

/// Goes through `$count` elements in blocks of twelve, then of four, then one by one: element i always meets lane i mod 4.
macro_rules! in_blocks {
    ($count:literal, $twelve:expr, $four:expr, $first:expr, $second:expr, $third:expr) => {
        concat!(
            "subs ",
            $count,
            ", #12\n blo 3f\n 2:\n",
            $twelve,
            "subs ",
            $count,
            ", #12\n bhs 2b\n 3:\n",
            "adds ",
            $count,
            ", #8\n bmi 5f\n 4:\n",
            $four,
            "subs ",
            $count,
            ", #4\n bpl 4b\n 5:\n",
            "adds ",
            $count,
            ", #4\n beq 6f\n",
            $first,
            "subs ",
            $count,
            ", #1\n beq 6f\n",
            $second,
            "subs ",
            $count,
            ", #1\n beq 6f\n",
            $third,
            "6:\n",
        )
    };
}

/// √x.
///
/// # Safety
/// None is needed.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn sqrt(x: f32) -> f32 {
    naked_asm!(fpu!(), "vsqrt.f32 s0, s0", "bx lr")
}

/// a · b.
///
/// # Safety
/// Both pointers lead to `n` readable floats.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn dot(a: *const f32, b: *const f32, n: usize) -> f32 {
    naked_asm!(
        fpu!(),
        // s0–s3: lanes. s4–s15: b. s16–s27: a, then products.
        "vpush {{d8-d13}}",
        "movs r12, #0",
        "vmov d0, r12, r12",
        "vmov d1, r12, r12",
        in_blocks!(
            "r2",
            concat!(
                "vldmia r1!, {{s4-s15}}\n vldmia r0!, {{s16-s27}}\n",
                multiply!(16*4 17*5 18*6 19*7 20*8 21*9 22*10 23*11 24*12 25*13 26*14 27*15),
                add!(0+16 1+17 2+18 3+19 0+20 1+21 2+22 3+23 0+24 1+25 2+26 3+27),
            ),
            concat!(
                "vldmia r1!, {{s4-s7}}\n vldmia r0!, {{s16-s19}}\n",
                multiply!(16*4 17*5 18*6 19*7),
                add!(0+16 1+17 2+18 3+19),
            ),
            concat!("vldmia r1!, {{s4}}\n vldmia r0!, {{s16}}\n", multiply!(16 * 4), add!(0 + 16)),
            concat!("vldmia r1!, {{s4}}\n vldmia r0!, {{s16}}\n", multiply!(16 * 4), add!(1 + 16)),
            concat!("vldmia r1!, {{s4}}\n vldmia r0!, {{s16}}\n", multiply!(16 * 4), add!(2 + 16))
        ),
        add!(0+1 2+3 0+2),
        "vpop {{d8-d13}}",
        "bx lr",
    )
}

/// x · x.
///
/// # Safety
/// The pointer leads to `n` readable floats.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn norm_squared(x: *const f32, n: usize) -> f32 {
    naked_asm!(
        fpu!(),
        // s0–s3: lanes. s4–s15: x, then squares.
        "movs r12, #0",
        "vmov d0, r12, r12",
        "vmov d1, r12, r12",
        in_blocks!(
            "r1",
            concat!(
                "vldmia r0!, {{s4-s15}}\n",
                multiply!(4*4 5*5 6*6 7*7 8*8 9*9 10*10 11*11 12*12 13*13 14*14 15*15),
                add!(0+4 1+5 2+6 3+7 0+8 1+9 2+10 3+11 0+12 1+13 2+14 3+15),
            ),
            concat!("vldmia r0!, {{s4-s7}}\n", multiply!(4*4 5*5 6*6 7*7), add!(0+4 1+5 2+6 3+7)),
            concat!("vldmia r0!, {{s4}}\n", multiply!(4 * 4), add!(0 + 4)),
            concat!("vldmia r0!, {{s4}}\n", multiply!(4 * 4), add!(1 + 4)),
            concat!("vldmia r0!, {{s4}}\n", multiply!(4 * 4), add!(2 + 4))
        ),
        add!(0+1 2+3 0+2),
        "bx lr",
    )
}

/// Two sums, returned in `s0` and `s1`.
#[repr(C)]
pub(super) struct Pair(pub(super) f32, pub(super) f32);

/// a · w and b · w.
///
/// # Safety
/// All three pointers lead to `n` readable floats.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn dot_pair(a: *const f32, b: *const f32, w: *const f32, n: usize) -> Pair {
    naked_asm!(
        fpu!(),
        // s0–s3, s4–s7: lanes of a and b. s8–s19: w. s20–s31: a, then b, then products.
        "vpush {{d8-d15}}",
        "movs r12, #0",
        "vmov d0, r12, r12",
        "vmov d1, r12, r12",
        "vmov d2, r12, r12",
        "vmov d3, r12, r12",
        in_blocks!(
            "r3",
            concat!(
                "vldmia r2!, {{s8-s19}}\n vldmia r0!, {{s20-s31}}\n",
                multiply!(20*8 21*9 22*10 23*11 24*12 25*13 26*14 27*15 28*16 29*17 30*18 31*19),
                add!(0+20 1+21 2+22 3+23 0+24 1+25 2+26 3+27 0+28 1+29 2+30 3+31),
                "vldmia r1!, {{s20-s31}}\n",
                multiply!(20*8 21*9 22*10 23*11 24*12 25*13 26*14 27*15 28*16 29*17 30*18 31*19),
                add!(4+20 5+21 6+22 7+23 4+24 5+25 6+26 7+27 4+28 5+29 6+30 7+31),
            ),
            concat!(
                "vldmia r2!, {{s8-s11}}\n vldmia r0!, {{s20-s23}}\n vldmia r1!, {{s24-s27}}\n",
                multiply!(20*8 21*9 22*10 23*11 24*8 25*9 26*10 27*11),
                add!(0+20 1+21 2+22 3+23 4+24 5+25 6+26 7+27),
            ),
            concat!(
                "vldmia r2!, {{s8}}\n vldmia r0!, {{s20}}\n vldmia r1!, {{s24}}\n",
                multiply!(20*8 24*8),
                add!(0+20 4+24)
            ),
            concat!(
                "vldmia r2!, {{s8}}\n vldmia r0!, {{s20}}\n vldmia r1!, {{s24}}\n",
                multiply!(20*8 24*8),
                add!(1+20 5+24)
            ),
            concat!(
                "vldmia r2!, {{s8}}\n vldmia r0!, {{s20}}\n vldmia r1!, {{s24}}\n",
                multiply!(20*8 24*8),
                add!(2+20 6+24)
            )
        ),
        add!(0+1 2+3 4+5 6+7 0+2),
        "vadd.f32 s1, s4, s6",
        "vpop {{d8-d15}}",
        "bx lr",
    )
}

/// y ← y + p · x.
///
/// # Safety
/// `x` leads to `n` readable floats, `y` to `n` writable ones, none of them in both.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn add_scaled(y: *mut f32, x: *const f32, n: usize, p: f32) {
    naked_asm!(
        fpu!(),
        // s0: p. s2–s13: y. s14–s25: x, then products.
        "vpush {{d8-d12}}",
        in_blocks!(
            "r2",
            concat!(
                "vldmia r0, {{s2-s13}}\n vldmia r1!, {{s14-s25}}\n",
                multiply!(14*0 15*0 16*0 17*0 18*0 19*0 20*0 21*0 22*0 23*0 24*0 25*0),
                add!(2+14 3+15 4+16 5+17 6+18 7+19 8+20 9+21 10+22 11+23 12+24 13+25),
                "vstmia r0!, {{s2-s13}}\n",
            ),
            concat!(
                "vldmia r0, {{s2-s5}}\n vldmia r1!, {{s14-s17}}\n",
                multiply!(14*0 15*0 16*0 17*0),
                add!(2+14 3+15 4+16 5+17),
                "vstmia r0!, {{s2-s5}}\n",
            ),
            concat!("vldr s2, [r0]\n vldmia r1!, {{s14}}\n", multiply!(14 * 0), add!(2 + 14), "vstmia r0!, {{s2}}\n"),
            concat!("vldr s2, [r0]\n vldmia r1!, {{s14}}\n", multiply!(14 * 0), add!(2 + 14), "vstmia r0!, {{s2}}\n"),
            concat!("vldr s2, [r0]\n vldmia r1!, {{s14}}\n", multiply!(14 * 0), add!(2 + 14), "vstmia r0!, {{s2}}\n")
        ),
        "vpop {{d8-d12}}",
        "bx lr",
    )
}

/// y ← (y + p · a) + q · b.
///
/// # Safety
/// `a` and `b` lead to `n` readable floats each, `y` to `n` writable ones, none of which is theirs.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn add_scaled_pair(y: *mut f32, a: *const f32, b: *const f32, n: usize, p: f32, q: f32) {
    naked_asm!(
        fpu!(),
        // s0, s1: p and q. s2–s13: y. s14–s25: a, then b, then products.
        "vpush {{d8-d12}}",
        in_blocks!(
            "r3",
            concat!(
                "vldmia r0, {{s2-s13}}\n vldmia r1!, {{s14-s25}}\n",
                multiply!(14*0 15*0 16*0 17*0 18*0 19*0 20*0 21*0 22*0 23*0 24*0 25*0),
                add!(2+14 3+15 4+16 5+17 6+18 7+19 8+20 9+21 10+22 11+23 12+24 13+25),
                "vldmia r2!, {{s14-s25}}\n",
                multiply!(14*1 15*1 16*1 17*1 18*1 19*1 20*1 21*1 22*1 23*1 24*1 25*1),
                add!(2+14 3+15 4+16 5+17 6+18 7+19 8+20 9+21 10+22 11+23 12+24 13+25),
                "vstmia r0!, {{s2-s13}}\n",
            ),
            concat!(
                "vldmia r0, {{s2-s5}}\n vldmia r1!, {{s14-s17}}\n vldmia r2!, {{s18-s21}}\n",
                multiply!(14*0 15*0 16*0 17*0 18*1 19*1 20*1 21*1),
                add!(2+14 3+15 4+16 5+17 2+18 3+19 4+20 5+21),
                "vstmia r0!, {{s2-s5}}\n",
            ),
            concat!(
                "vldr s2, [r0]\n vldmia r1!, {{s14}}\n vldmia r2!, {{s15}}\n",
                multiply!(14*0 15*1),
                add!(2+14 2+15),
                "vstmia r0!, {{s2}}\n",
            ),
            concat!(
                "vldr s2, [r0]\n vldmia r1!, {{s14}}\n vldmia r2!, {{s15}}\n",
                multiply!(14*0 15*1),
                add!(2+14 2+15),
                "vstmia r0!, {{s2}}\n",
            ),
            concat!(
                "vldr s2, [r0]\n vldmia r1!, {{s14}}\n vldmia r2!, {{s15}}\n",
                multiply!(14*0 15*1),
                add!(2+14 2+15),
                "vstmia r0!, {{s2}}\n",
            )
        ),
        "vpop {{d8-d12}}",
        "bx lr",
    )
}

/// The largest magnitude among the bit patterns of floats, which are ordered like the magnitudes.
///
/// # Safety
/// The pointer leads to `n` readable words.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn largest(x: *const u32, n: usize) -> u32 {
    naked_asm!(
        // r2: the largest so far, without its sign: one place to the left.
        "push {{r4-r6}}",
        "movs r2, #0",
        in_fours!(
            "r1",
            "ldmia r0!, {{r3-r6}}
            cmp r2, r3, lsl #1
            it lo
            lsllo r2, r3, #1
            cmp r2, r4, lsl #1
            it lo
            lsllo r2, r4, #1
            cmp r2, r5, lsl #1
            it lo
            lsllo r2, r5, #1
            cmp r2, r6, lsl #1
            it lo
            lsllo r2, r6, #1
            ",
            "ldr r3, [r0], #4
            cmp r2, r3, lsl #1
            it lo
            lsllo r2, r3, #1
            "
        ),
        "lsrs r0, r2, #1",
        "pop {{r4-r6}}",
        "bx lr",
    )
}

/// x ← x · p.
///
/// # Safety
/// The pointer leads to `n` writable floats.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn multiply(x: *mut f32, n: usize, p: f32) {
    naked_asm!(
        fpu!(),
        // s0: p. s2–s13: x.
        in_blocks!(
            "r1",
            concat!(
                "vldmia r0, {{s2-s13}}\n",
                multiply!(2*0 3*0 4*0 5*0 6*0 7*0 8*0 9*0 10*0 11*0 12*0 13*0),
                "vstmia r0!, {{s2-s13}}\n",
            ),
            concat!("vldmia r0, {{s2-s5}}\n", multiply!(2*0 3*0 4*0 5*0), "vstmia r0!, {{s2-s5}}\n"),
            concat!("vldr s2, [r0]\n", multiply!(2 * 0), "vstmia r0!, {{s2}}\n"),
            concat!("vldr s2, [r0]\n", multiply!(2 * 0), "vstmia r0!, {{s2}}\n"),
            concat!("vldr s2, [r0]\n", multiply!(2 * 0), "vstmia r0!, {{s2}}\n")
        ),
        "bx lr",
    )
}

/// The sum of x − x for all x = w + (beta · v − gain · d), which is 0 if they are finite.
///
/// # Safety
/// All pointers lead to `n` readable floats.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn step_doubt(
    w: *const f32,
    v: *const f32,
    d: *const f32,
    n: usize,
    gain: f32,
    beta: f32,
) -> f32 {
    naked_asm!(
        fpu!(),
        // s0, s1: gain and beta. s2: the sum. s4–s7: w, then x, then x − x. s8–s11: v. s12–s15: d.
        "movs r12, #0",
        "vmov s2, r12",
        in_fours!(
            "r3",
            concat!(
                "vldmia r0!, {{s4-s7}}\n vldmia r1!, {{s8-s11}}\n vldmia r2!, {{s12-s15}}\n",
                multiply!(8*1 9*1 10*1 11*1 12*0 13*0 14*0 15*0),
                subtract!(8-12 9-13 10-14 11-15),
                add!(4+8 5+9 6+10 7+11),
                subtract!(4-4 5-5 6-6 7-7),
                add!(2+4 2+5 2+6 2+7),
            ),
            concat!(
                "vldmia r0!, {{s4}}\n vldmia r1!, {{s8}}\n vldmia r2!, {{s12}}\n",
                multiply!(8*1 12*0),
                subtract!(8 - 12),
                add!(4 + 8),
                subtract!(4 - 4),
                add!(2 + 4),
            )
        ),
        "vmov.f32 s0, s2",
        "bx lr",
    )
}

/// v ← beta · v − gain · d, w ← w + v.
///
/// # Safety
/// `d` leads to `n` readable floats, `w` and `v` to `n` writable ones each, none of them in two places.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn step(w: *mut f32, v: *mut f32, d: *const f32, n: usize, gain: f32, beta: f32) {
    naked_asm!(
        fpu!(),
        // s0, s1: gain and beta. s4–s7: w. s8–s11: v. s12–s15: d.
        in_fours!(
            "r3",
            concat!(
                "vldmia r0, {{s4-s7}}\n vldmia r1, {{s8-s11}}\n vldmia r2!, {{s12-s15}}\n",
                multiply!(8*1 9*1 10*1 11*1 12*0 13*0 14*0 15*0),
                subtract!(8-12 9-13 10-14 11-15),
                add!(4+8 5+9 6+10 7+11),
                "vstmia r1!, {{s8-s11}}\n vstmia r0!, {{s4-s7}}\n",
            ),
            concat!(
                "vldr s4, [r0]\n vldr s8, [r1]\n vldmia r2!, {{s12}}\n",
                multiply!(8*1 12*0),
                subtract!(8 - 12),
                add!(4 + 8),
                "vstmia r1!, {{s8}}\n vstmia r0!, {{s4}}\n",
            )
        ),
        "bx lr",
    )
}

/// m ← m + gain · (w − m), by fours, up to the four where that is not finite; returns how many elements are left.
///
/// # Safety
/// `w` leads to `n` readable floats, `m` to `n` writable ones, none of them in both.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn approach(m: *mut f32, w: *const f32, n: usize, gain: f32) -> usize {
    naked_asm!(
        fpu!(),
        // s0: gain. s4–s7: m. s8–s11: w, then steps, then differences.
        "subs r2, #4",
        "blo 3f",
        "2:",
        "vldmia r0, {{s4-s7}}",
        "vldmia r1!, {{s8-s11}}",
        subtract!(8-4 9-5 10-6 11-7),
        multiply!(8*0 9*0 10*0 11*0),
        add!(4+8 5+9 6+10 7+11),
        // A number less itself is 0, also in a sum of four; anything else is not.
        "vsub.f32 s8, s4, s4",
        "vsub.f32 s9, s5, s5",
        "vsub.f32 s10, s6, s6",
        "vsub.f32 s11, s7, s7",
        add!(8+9 10+11 8+10),
        "vcmp.f32 s8, #0",
        "vmrs APSR_nzcv, fpscr",
        "bne 3f",
        "vstmia r0!, {{s4-s7}}",
        "subs r2, #4",
        "bhs 2b",
        "3:",
        "adds r0, r2, #4",
        "bx lr",
    )
}
