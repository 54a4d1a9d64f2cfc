//! The first visit of a streaming learner.

use core::arch::naked_asm;

use super::super::vfp;

/// z ← gamma · z + inverse · x, then sum ← (sum + quotient · x) − reward · z.
///
/// # Safety
/// `x` points to `n` readable floats, `z` and `sum` to `n` writable ones each; none of them overlap.
#[unsafe(naked)]
pub unsafe extern "C" fn trace_step(
    z: *mut f32,
    sum: *mut f32,
    x: *const f32,
    n: usize,
    gamma: f32,
    inverse: f32,
    quotient: f32,
    reward: f32,
) {
    naked_asm!(
        mve!(),
        // s0–s3, and r4–r7: the factors. q1: z. q2: sums. q3: x, then its multiples. q4: other products.
        "push {{r4-r7, lr}}",
        "vpush {{d8-d9}}",
        "vmov r4, r5, s0, s1",
        "vmov r6, r7, s2, s3",
        in_fours!(
            "r3",
            concat!(
                "vldrw.u32 q3, [r2], #16
                vldrw.u32 q1, [r0]
                vmul.f32 q4, q3, r5
                vmul.f32 q1, q1, r4
                vldrw.u32 q2, [r1]
                vmul.f32 q3, q3, r6
                vadd.f32 q1, q1, q4
                vadd.f32 q2, q2, q3
                vmul.f32 q4, q1, r7
                vsub.f32 q2, q2, q4
                ",
                check!("r12", "9f"),
                "vstrw.32 q1, [r0], #16\n vstrw.32 q2, [r1], #16\n",
            )
        ),
        "vpop {{d8-d9}}",
        "pop {{r4-r7, pc}}",
        leave_fours!("r3", "r12", ["r2"]),
        "vpop {{d8-d9}}",
        "pop {{r4-r7, lr}}",
        "b {twin}",
        twin = sym vfp::trace_step,
    )
}
