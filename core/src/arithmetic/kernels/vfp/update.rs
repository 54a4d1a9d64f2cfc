//! Operations once per update, or once per new row.

use core::arch::naked_asm;

/// The largest magnitude among the bit patterns of floats, which are ordered like the magnitudes.
///
/// # Safety
/// The pointer points to `n` readable words.
#[unsafe(naked)]
pub unsafe extern "C" fn largest(x: *const u32, n: usize) -> u32 {
    naked_asm!(
        // r2: the largest so far, without its sign, shifted left by one.
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

/// y ← x.
///
/// # Safety
/// `x` points to `N` readable floats, `y` to room for `N`; they do not overlap.
#[unsafe(naked)]
pub unsafe extern "C" fn copy<const N: usize>(y: *mut f32, x: *const f32) {
    naked_asm!(
        fpu!(),
        // s0–s11: x.
        in_blocks!(
            "r2",
            "vldmia r1!, {{s0-s11}}\n vstmia r0!, {{s0-s11}}\n",
            "vldmia r1!, {{s0-s3}}\n vstmia r0!, {{s0-s3}}\n",
            "vldmia r1!, {{s0-s1}}\n vstmia r0!, {{s0-s1}}\n",
            "vldr s0, [r1]\n vstr s0, [r0]\n"
        ),
        "bx lr",
        n = const N,
    )
}

/// y ← a − b.
///
/// # Safety
/// `a` and `b` point to `n` readable floats each, `y` to room for `n` that does not overlap with them.
#[unsafe(naked)]
pub unsafe extern "C" fn difference(y: *mut f32, a: *const f32, b: *const f32, n: usize) {
    naked_asm!(
        fpu!(),
        // s0–s3: a. s4–s7: b.
        in_fours!(
            "r3",
            concat!(
                "vldmia r1!, {{s0-s3}}\n vldmia r2!, {{s4-s7}}\n",
                subtract!(0-4 1-5 2-6 3-7),
                "vstmia r0!, {{s0-s3}}\n",
            ),
            concat!("vldmia r1!, {{s0}}\n vldmia r2!, {{s4}}\n", subtract!(0 - 4), "vstmia r0!, {{s0}}\n")
        ),
        "bx lr",
    )
}

/// y ← p · x.
///
/// # Safety
/// `x` points to `N` readable floats, `y` to room for `N`; they are the same or do not overlap.
#[unsafe(naked)]
pub unsafe extern "C" fn multiply<const N: usize>(y: *mut f32, x: *const f32, p: f32) {
    naked_asm!(
        fpu!(),
        // s0: p. s2–s13: x.
        in_blocks!(
            "r2",
            concat!(
                "vldmia r1!, {{s2-s13}}\n",
                multiply!(2*0 3*0 4*0 5*0 6*0 7*0 8*0 9*0 10*0 11*0 12*0 13*0),
                "vstmia r0!, {{s2-s13}}\n",
            ),
            concat!("vldmia r1!, {{s2-s5}}\n", multiply!(2*0 3*0 4*0 5*0), "vstmia r0!, {{s2-s5}}\n"),
            concat!("vldmia r1!, {{s2-s3}}\n", multiply!(2*0 3*0), "vstmia r0!, {{s2-s3}}\n"),
            concat!("vldr s2, [r1]\n", multiply!(2 * 0), "vstr s2, [r0]\n")
        ),
        "bx lr",
        n = const N,
    )
}

/// The sum of x − x for all x = w + (beta · v − gain · d), which is 0 if they are finite.
///
/// # Safety
/// All pointers point to `n` readable floats.
#[unsafe(naked)]
pub unsafe extern "C" fn step_doubt(
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
/// `d` points to `n` readable floats, `w` and `v` to `n` writable ones each; none of them overlap.
#[unsafe(naked)]
pub unsafe extern "C" fn step(w: *mut f32, v: *mut f32, d: *const f32, n: usize, gain: f32, beta: f32) {
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

/// m ← m + gain · (w − m). Returns 0 unless something overflowed.
///
/// # Safety
/// `w` points to `n` readable floats, `m` to `n` writable ones that do not overlap with them.
#[unsafe(naked)]
pub unsafe extern "C" fn average_step(m: *mut f32, w: *const f32, n: usize, gain: f32) -> u32 {
    naked_asm!(
        fpu!(),
        // s0: gain. s1: m. s2: w, then the step. The FPU remembers an overflow in bit 2 of FPSCR.
        "vmrs r3, fpscr",
        "bic r3, r3, #4",
        "vmsr fpscr, r3",
        "cbz r2, 3f",
        "2:",
        "vldr s1, [r0]",
        "vldmia r1!, {{s2}}",
        "vsub.f32 s2, s2, s1",
        "vmul.f32 s2, s2, s0",
        "vadd.f32 s1, s1, s2",
        "vstmia r0!, {{s1}}",
        "subs r2, #1",
        "bne 2b",
        "3:",
        "vmrs r0, fpscr",
        "and r0, r0, #4",
        "bx lr",
    )
}
