//! A quotient by multiplication with an inverse.

use core::arch::naked_asm;

/// r · mantissa / 2^`shift`, as [`quotient`](super::super::portable::quotient::quotient) specifies it: the result in the lower word, and
/// in the upper one 0, or 1 if there is no result. The shift is below 2⁷.
///
/// # Safety
/// None is needed: it only computes.
#[unsafe(naked)]
pub unsafe extern "C" fn quotient(r: i64, mantissa: u32, shift: i32) -> u64 {
    naked_asm!(
        // r12: the sign of r. r0:r1: its magnitude. r4: its leading zeros. A shift by 32 or more leaves nothing.
        "push {{r4, lr}}",
        "asr r12, r1, #31",
        "eor r0, r0, r12",
        "eor r1, r1, r12",
        "subs r0, r0, r12",
        "sbcs r1, r1, r12",
        "ittt eq",
        "moveq r1, r0",
        "moveq r0, #0",
        "addeq r3, #32",
        "clz r4, r1",
        // r3: by how much the upper word of the product below is shifted.
        "add r3, r4",
        "subs r3, #60",
        "ble 2f",
        // r1: the leading bits, with a sticky bit for the others, which are below a half.
        "lsl r1, r1, r4",
        "rsb lr, r4, #32",
        "lsr lr, r0, lr",
        "orr r1, lr",
        "lsls r0, r4",
        "it ne",
        "orrne r1, r1, #1",
        // Rounded to 26 bits, in the upper bits of a word but one.
        "ubfx lr, r1, #6, #1",
        "add lr, #31",
        "adds r1, r1, lr",
        "rrx r1, r1",
        "bic r1, r1, #31",
        "lsls r2, r2, #5",
        "umull r0, r1, r1, r2",
        // The upper word plus a half, less one bit of the lower word if the result is even and there is no more of it.
        "lsr lr, r1, r3",
        "and lr, lr, #1",
        "orr r0, r0, lr",
        "mov lr, #1",
        "lsl lr, lr, r3",
        "add r1, r1, lr, lsr #1",
        "cmp r0, #1",
        "sbc r1, r1, #0",
        "lsrs r1, r3",
        "eor r0, r1, r12",
        "sub r0, r0, r12",
        "movs r1, #0",
        "pop {{r4, pc}}",
        "2:",
        "movs r1, #1",
        "pop {{r4, pc}}",
    )
}
