//! Operations once per update, or once per new row.

use core::arch::naked_asm;

use super::super::vfp;
use super::twins;

/// The largest magnitude among the bit patterns of floats, which are ordered like the magnitudes.
///
/// # Safety
/// The pointer points to `n` readable words.
#[unsafe(naked)]
pub unsafe extern "C" fn largest(x: *const u32, n: usize) -> u32 {
    naked_asm!(
        mve!(),
        // q0: the largest of each lane so far. q1: x, then magnitudes.
        "mov r12, lr",
        "movs r2, #0",
        "vmov.i32 q0, #0",
        in_fours!(
            "r1",
            "vldrw.u32 q1, [r0], #16
            vbic.i32 q1, #0x80000000
            vmax.u32 q0, q0, q1
            "
        ),
        "vmaxv.u32 r2, q0",
        "mov r0, r2",
        "bx r12",
    )
}

/// y ← p · x, in place if the pointers are equal.
///
/// # Safety
/// `x` points to `n` readable floats, `y` to room for `n`; they are equal or do not overlap.
#[unsafe(naked)]
pub unsafe extern "C" fn multiply(y: *mut f32, x: *const f32, n: usize, p: f32) {
    naked_asm!(
        mve!(),
        // s0 and r12: p. q1–q4: x.
        "push {{r7, lr}}",
        "vpush {{d8-d9}}",
        "vmov r12, s0",
        in_sixteens!(
            "r2",
            concat!(
                "vldrw.u32 q1, [r1], #16
                vmul.f32 q1, q1, r12
                vldrw.u32 q2, [r1], #16
                vmul.f32 q2, q2, r12
                vldrw.u32 q3, [r1], #16
                vmul.f32 q3, q3, r12
                vldrw.u32 q4, [r1], #16
                vmul.f32 q4, q4, r12
                ",
                check!("r3", "8f"),
                "vstrw.32 q1, [r0], #16
                vstrw.32 q2, [r0], #16
                vstrw.32 q3, [r0], #16
                vstrw.32 q4, [r0], #16
                ",
            ),
            concat!(
                "vldrw.u32 q1, [r1], #16\n vmul.f32 q1, q1, r12\n",
                check!("r3", "9f"),
                "vstrw.32 q1, [r0], #16\n",
            )
        ),
        "vpop {{d8-d9}}",
        "pop {{r7, pc}}",
        leave_sixteens!("r2", "r3", ["r1"]),
        "vpop {{d8-d9}}",
        "pop {{r7, lr}}",
        "b {twin}",
        twin = sym twins::multiply,
    )
}

/// The sum of x − x for all x = w + (beta · v − gain · d), which is 0 if they are finite.
///
/// It does not look for subnormal numbers: the product with one is at most 4, which decides nowhere whether a sum is
/// finite.
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
        mve!(),
        // r4, r12: gain and beta. q0: the sums. q1: v, then x, then x − x. q2: d. q3: w.
        "push {{r4, lr}}",
        "vmov r4, r12, s0, s1",
        "vmov.i32 q0, #0",
        in_fours!(
            "r3",
            "vldrw.u32 q1, [r1], #16
            vldrw.u32 q2, [r2], #16
            vmul.f32 q1, q1, r12
            vmul.f32 q2, q2, r4
            vldrw.u32 q3, [r0], #16
            vsub.f32 q1, q1, q2
            vadd.f32 q1, q3, q1
            vsub.f32 q1, q1, q1
            vadd.f32 q0, q0, q1
            "
        ),
        "vadd.f32 s0, s0, s1",
        "vadd.f32 s2, s2, s3",
        "vadd.f32 s0, s0, s2",
        "pop {{r4, pc}}",
    )
}

/// v ← beta · v − gain · d, w ← w + v.
///
/// # Safety
/// `d` points to `n` readable floats, `w` and `v` to `n` writable ones each; none of them overlap.
#[unsafe(naked)]
pub unsafe extern "C" fn step(w: *mut f32, v: *mut f32, d: *const f32, n: usize, gain: f32, beta: f32) {
    naked_asm!(
        mve!(),
        // s0 and r4: gain. s1 and r5: beta. q1: v. q2: d. q3: w.
        "push {{r4, r5, r7, lr}}",
        "vmov r4, r5, s0, s1",
        in_fours!(
            "r3",
            concat!(
                "vldrw.u32 q2, [r2], #16
                vldrw.u32 q1, [r1]
                vmul.f32 q2, q2, r4
                vmul.f32 q1, q1, r5
                vldrw.u32 q3, [r0]
                vsub.f32 q1, q1, q2
                vadd.f32 q3, q3, q1
                ",
                check!("r12", "9f"),
                "vstrw.32 q1, [r1], #16\n vstrw.32 q3, [r0], #16\n",
            )
        ),
        "pop {{r4, r5, r7, pc}}",
        leave_fours!("r3", "r12", ["r2"]),
        "pop {{r4, r5, r7, lr}}",
        "b {twin}",
        twin = sym vfp::step,
    )
}
