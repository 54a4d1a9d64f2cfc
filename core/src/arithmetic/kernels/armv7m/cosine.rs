//! The sums of a cosine.

use core::arch::naked_asm;

use super::super::portable::cosine::CosineSums;

/// See [`cosine_sums`](super::super::portable::cosine::cosine_sums).
///
/// # Safety
/// The first three pointers point to `n` readable integers each, n > 0; `sums` points to a writable [`CosineSums`].
#[unsafe(naked)]
pub unsafe extern "C" fn cosine_sums(a: *const i32, b: *const i32, c: *const i32, n: usize, sums: *mut CosineSums) {
    /// `$mantissa` ← a difference of 32 bits, `$to` − `$from` shifted to the left by r11, rounded to a mantissa. Overwrites r12.
    macro_rules! mantissa {
        ($mantissa:literal, $to:literal, $from:literal) => {
            concat!(
                "subs r12, ",
                $to,
                ", ",
                $from,
                "\n lsl r12, r12, r11\n lsr ",
                $mantissa,
                ", r12, #8\n",
                // The sign is that of 33 bits.
                "it lt\n sublt ",
                $mantissa,
                ", #0x1000000\n lsl r12, r12, #24\n",
                // A tie rounds up from an odd number.
                "tst ",
                $mantissa,
                ", ",
                $mantissa,
                ", lsr #1\n sbcs r12, r12, #0x80000000\n adc ",
                $mantissa,
                ", ",
                $mantissa,
                ", #0\n",
            )
        };
    }
    naked_asm!(
        // r3: the offset of an element, from the last to the first. r4, r5: the magnitudes of b − a and c − b.
        // r6, r7, r12: a, b, c.
        "subs r3, #1",
        "lsls r3, r3, #2",
        "push {{r3-r11, lr}}",
        "movs r4, #0",
        "movs r5, #0",
        "2:",
        "ldr r6, [r0, r3]",
        "ldr r7, [r1, r3]",
        "ldr r12, [r2, r3]",
        "subs r6, r7, r6",
        "it lt",
        "rsblt r6, r6, #0",
        "orrs r4, r6",
        "subs r7, r12, r7",
        "it lt",
        "rsblt r7, r7, #0",
        "orrs r5, r7",
        "subs r3, #4",
        "bpl 2b",
        // r11: the shifts, that of b − a in the lower half. r4:r5, r6:r7, r8:r9: sums. r10: b, then c − b.
        // lr: b − a.
        "clz r11, r4",
        "clz r12, r5",
        "orr r11, r11, r12, lsl #16",
        "ldr r3, [sp]",
        "movs r4, #0",
        "movs r5, #0",
        "movs r6, #0",
        "movs r7, #0",
        "mov r8, r4",
        "mov r9, r4",
        "3:",
        "ldr r10, [r1, r3]",
        "ldr r12, [r0, r3]",
        mantissa!("lr", "r10", "r12"),
        "ror r11, r11, #16",
        "ldr r12, [r2, r3]",
        mantissa!("r10", "r12", "r10"),
        "ror r11, r11, #16",
        "smlal r4, r5, r10, lr",
        "smlal r6, r7, lr, lr",
        "smlal r8, r9, r10, r10",
        "subs r3, #4",
        "bpl 3b",
        "ldr r0, [sp, #40]",
        "stmia r0!, {{r4-r9}}",
        "pop {{r3-r11, pc}}",
    )
}
