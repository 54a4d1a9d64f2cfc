//! A row of a tracking learner.

use core::arch::naked_asm;

use super::super::Aligned;
use super::super::portable::RowSums;
use super::{dot_whole, norm_squared};

/// x · w, x · x, and all |x| combined by or; nothing if a feature is −2¹⁵, for which these sums have no room.
#[inline(never)]
pub(in super::super) fn row_sums<const N: usize>(x: &[i16; N], w: &[i32; N]) -> Option<RowSums> {
    let magnitudes = magnitudes(x);
    if magnitudes > i16::MAX as u32 {
        return None;
    }
    // Usually they are at a multiple of 4 anyway.
    let copy;
    let pointer = x.as_ptr().cast::<Aligned<i16, N>>();
    let aligned = if pointer.is_aligned() {
        // SAFETY: it points to N integers, and is aligned.
        unsafe { &*pointer }
    } else {
        copy = Aligned(*x);
        &copy
    };
    // SAFETY: it is a reference to N aligned integers.
    let square = unsafe { norm_squared(aligned.0.as_ptr(), N) };
    Some(RowSums { product: dot_whole(aligned, w), square, magnitudes })
}

/// All |x| combined by or. Compiled once for all sizes.
#[inline(never)]
fn magnitudes(x: &[i16]) -> u32 {
    x.iter().fold(0, |all, x| all | u32::from(x.unsigned_abs()))
}

/// w ← w − factor · (x · 2^by) / 2³² for a factor other than −2³¹ and a shift of up to 16, rounded to nearest even. Returns how many
/// weights saturated.
///
/// The lower word of factor · x · 2^by is what is cut off. If anything nonzero follows below the half, which is almost always so,
/// the half's bit alone decides how to round: a shift leaves it in the carry.
///
/// # Safety
/// `x` points to `n` readable integers, `w` to as many writable ones that are not aliased.
#[unsafe(naked)]
pub unsafe extern "C" fn subtract_row(w: *mut i32, x: *const i16, n: usize, factor: i32, by: u32) -> u32 {
    naked_asm!(
        // r8, r9: the lower and upper half of −factor, which is r10. r7: by how much the upper part of a product is shifted.
        // r2: by + 1. r3: offset in the row. r11: saturated weights. r12: the end of the row.
        save!(),
        "ldr r4, [sp, #36]",
        "movs r7, #0",
        "mov r11, r7",
        "movs r7, #16",
        "subs r7, r7, r4",
        "lsls r2, r2, #1",
        "mov r12, r2",
        "beq 7f",
        "adds r2, r4, #1",
        "rsbs r3, r3, #0",
        "mov r10, r3",
        "uxth r4, r3",
        "mov r8, r4",
        "asrs r4, r3, #16",
        "mov r9, r4",
        "movs r3, #0",
        "2:",
        // r6: the product's upper part. r5: what is cut off.
        "ldrsh r4, [r1, r3]",
        "mov r5, r8",
        "muls r5, r4, r5",
        "asrs r5, r5, #16",
        "mov r6, r9",
        "muls r6, r4, r6",
        "adds r6, r6, r5",
        "asrs r6, r7",
        "mov r5, r10",
        "muls r5, r4, r5",
        "lsls r5, r2",
        "beq 4f",
        "3:",
        "ldr r4, [r0]",
        "adcs r4, r6",
        "bvs 5f",
        "6:",
        "stmia r0!, {{r4}}",
        "adds r3, #2",
        "cmp r3, r12",
        "bne 2b",
        "7:",
        "mov r0, r11",
        restore!(),
        // Perhaps a tie, which goes to even.
        "4:",
        "bcc 3b",
        "lsrs r5, r6, #1",
        "b 3b",
        // After an overflow, the sign is the wrong one.
        "5:",
        "asrs r4, r4, #31",
        "movs r5, #1",
        "add r11, r5",
        "lsls r5, r5, #31",
        "eors r4, r5",
        "b 6b",
    )
}
