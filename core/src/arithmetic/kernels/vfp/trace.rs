//! The first visit of a streaming learner.

use core::arch::naked_asm;

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
        fpu!(),
        // s0–s3: the factors. s4–s7: z. s8–s11: sums. s12–s15: x. s16–s19: products.
        "vpush {{d8-d9}}",
        in_fours!(
            "r3",
            concat!(
                "vldmia r0, {{s4-s7}}\n vldmia r1, {{s8-s11}}\n vldmia r2!, {{s12-s15}}\n",
                product!(16=12*1 17=13*1 18=14*1 19=15*1),
                multiply!(4*0 5*0 6*0 7*0 12*2 13*2 14*2 15*2),
                add!(4+16 5+17 6+18 7+19 8+12 9+13 10+14 11+15),
                product!(16=4*3 17=5*3 18=6*3 19=7*3),
                subtract!(8-16 9-17 10-18 11-19),
                "vstmia r0!, {{s4-s7}}\n vstmia r1!, {{s8-s11}}\n",
            ),
            concat!(
                "vldr s4, [r0]\n vldr s8, [r1]\n vldmia r2!, {{s12}}\n",
                product!(16 = 12 * 1),
                multiply!(4*0 12*2),
                add!(4+16 8+12),
                product!(16 = 4 * 3),
                subtract!(8 - 16),
                "vstmia r0!, {{s4}}\n vstmia r1!, {{s8}}\n",
            )
        ),
        "vpop {{d8-d9}}",
        "bx lr",
    )
}
