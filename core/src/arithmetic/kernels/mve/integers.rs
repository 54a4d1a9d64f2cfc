//! Rows of 16-bit integers. Their products with 16-bit halves of weights go eight at a time into sums of 64 bits, exactly.

use core::arch::naked_asm;

/// x · x.
///
/// # Safety
/// The pointer points to `n` readable integers.
#[unsafe(naked)]
pub unsafe extern "C" fn square_integers(x: *const i16, n: usize) -> i64 {
    naked_asm!(
        mve!(),
        // r2:r3: sum. q0: x.
        "mov r12, lr",
        "movs r2, #0",
        "movs r3, #0",
        "wlstp.16 lr, r1, 5f",
        "4:",
        "vldrh.u16 q0, [r0], #16",
        "vmlaldava.s16 r2, r3, q0, q0",
        "letp lr, 4b",
        "5:",
        "mov r0, r2",
        "mov r1, r3",
        "bx r12",
    )
}

/// a · w and b · w, for weights in halves as in [`dot_halves`](super::super::dsp::dot_halves).
///
/// # Safety
/// `a` and `b` point to `n` readable integers each, `sums` to room for two; `halves` points to `n` words, rounded up to a
/// multiple of 8.
#[unsafe(naked)]
pub unsafe extern "C" fn dot_halves_pair(a: *const i16, b: *const i16, halves: *const u32, n: usize, sums: *mut i64) {
    macro_rules! eight {
        ($rows:literal) => {
            concat!(
                "vld20.32 {{q0, q1}}, [r2]\n vld21.32 {{q0, q1}}, [r2]!\n",
                $rows,
                "
                vmlaldava.s16 r4, r5, q2, q0
                vmlaldava.s16 r6, r7, q2, q1
                vmlaldava.s16 r8, r9, q3, q0
                vmlaldava.s16 r10, r11, q3, q1
                ",
            )
        };
    }
    naked_asm!(
        mve!(),
        // r4:r5, r6:r7: sums of a with the upper and lower halves. r8:r9, r10:r11: of b. q0, q1: upper and lower halves of
        // eight weights. q2, q3: a and b.
        "push {{r4-r11, lr}}",
        "movs r4, #0",
        "movs r5, #0",
        "movs r6, #0",
        "movs r7, #0",
        "mov r8, r4",
        "mov r9, r4",
        "mov r10, r4",
        "mov r11, r4",
        "lsr lr, r3, #3",
        "wls lr, lr, 3f",
        "2:",
        eight!("vldrh.u16 q2, [r0], #16\n vldrh.u16 q3, [r1], #16"),
        "le lr, 2b",
        "3:",
        "ands r3, #7",
        "beq 5f",
        // Lanes past the end are loaded as zeros.
        "vctp.16 r3",
        eight!("vpstt\n vldrht.u16 q2, [r0]\n vldrht.u16 q3, [r1]"),
        "5:",
        "ldr r12, [sp, #36]",
        "lsl r5, r5, #16",
        "orr r5, r5, r4, lsr #16",
        "adds r0, r6, r4, lsl #16",
        "adc r1, r7, r5",
        "lsl r9, r9, #16",
        "orr r9, r9, r8, lsr #16",
        "adds r2, r10, r8, lsl #16",
        "adc r3, r11, r9",
        "stm r12, {{r0-r3}}",
        "pop {{r4-r11, pc}}",
    )
}
