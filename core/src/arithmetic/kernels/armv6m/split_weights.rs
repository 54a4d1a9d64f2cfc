//! Weights in two signed parts, upper and lower, one word each, so that one LDM loads the parts of two weights.

use core::arch::naked_asm;
use core::mem::MaybeUninit;

use super::super::Aligned;

/// The upper and the lower part of each weight.
pub type Parts<const N: usize> = [[i32; 2]; N];

/// The parts of weights, which are elsewhere: moving them would double the cost.
pub struct SplitWeights<'w, const N: usize> {
    parts: &'w Parts<N>,
    /// The matching kernel.
    kernel: Kernel,
}

type Kernel = unsafe extern "C" fn(*const i16, *const i32, usize) -> i64;

impl<'w, const N: usize> SplitWeights<'w, N> {
    /// Splits the weights.
    #[inline]
    pub(in super::super) fn new(whole: &[i32; N], parts: &'w mut MaybeUninit<Parts<N>>) -> Self {
        // SAFETY: both types have one layout, and neither says that anything is initialised.
        let kernel = split(whole, unsafe { &mut *parts.as_mut_ptr().cast::<[MaybeUninit<[i32; 2]>; N]>() });
        // SAFETY: `split` has written N pairs of parts.
        Self { parts: unsafe { parts.assume_init_ref() }, kernel }
    }

    /// x · w.
    #[inline]
    pub(in super::super) fn dot(&self, x: &Aligned<N>) -> i64 {
        const { assert!(N <= MOST, "more features than the sums have room for") };
        // SAFETY: the row is aligned and has N features, and there are N pairs of parts.
        unsafe { (self.kernel)(x.0.as_ptr(), self.parts.as_ptr().cast(), N) }
    }
}

/// The maximum number of features for the kernels.
const MOST: usize = 128;
/// The limit for narrow weights.
const NARROW: u32 = 1 << 26;
/// The number of weights split at once for a single row: even, so that features stay aligned.
const FEW: usize = 16;

/// x · w without preparation.
#[inline]
pub(in super::super) fn dot_whole<const N: usize>(x: &Aligned<N>, w: &[i32; N]) -> i64 {
    // SAFETY: the row is aligned.
    unsafe { dot_slices(&x.0, w) }
}

/// x · w, compiled once for all sizes.
///
/// # Safety
/// The features start at a multiple of 4.
#[inline(never)]
unsafe fn dot_slices(x: &[i16], w: &[i32]) -> i64 {
    let mut parts = [MaybeUninit::uninit(); FEW];
    let mut sum = 0;
    for (x, w) in x.chunks(FEW).zip(w.chunks(FEW)) {
        split_wide(w, &mut parts);
        // SAFETY: chunks of an even number of aligned features are aligned; as many parts have been written as weights.
        sum += unsafe { dot_wide(x.as_ptr(), parts.as_ptr().cast(), x.len().min(w.len())) };
    }
    sum
}

/// Writes the parts of each weight and returns the matching kernel.
#[inline(never)]
fn split(w: &[i32], parts: &mut [MaybeUninit<[i32; 2]>]) -> Kernel {
    if w.iter().all(|w| w.unsigned_abs() <= NARROW) {
        for (w, parts) in w.iter().zip(parts) {
            let upper = (w + (1 << 13)) >> 14;
            parts.write([upper, w - (upper << 14)]);
        }
        return dot_narrow;
    }
    split_wide(w, parts);
    dot_wide
}

/// The upper part is rounded, so the lower one is signed.
#[inline(never)]
fn split_wide(w: &[i32], parts: &mut [MaybeUninit<[i32; 2]>]) {
    for (w, parts) in w.iter().zip(parts) {
        parts.write([((w >> 15) + 1) >> 1, i32::from(*w as i16)]);
    }
}

/// Sums of products of the next two features with the upper (r4) and lower (r5) parts of their weights.
macro_rules! two {
    () => {
        "ldmia r0!, {{r2}}
        ldmia r1!, {{r4-r7}}
        sxth r3, r2
        asrs r2, r2, #16
        muls r4, r3, r4
        muls r5, r3, r5
        muls r6, r2, r6
        muls r7, r2, r7
        adds r4, r4, r6
        adds r5, r5, r7
        "
    };
}

/// The end of a block: r4 is its H, r5 its L, and a lower part has `$lower` bits.
macro_rules! close {
    ($lower:literal, $rest:literal) => {
        concat!(
            "add r12, r4\n add lr, r5\n asrs r5, r5, #",
            $lower,
            "\n adds r4, r4, r5\n asrs r4, r4, #",
            $rest,
            "\n add r8, r4\n"
        )
    };
}

/// x · w for weights in two parts, where the lower one has `$lower` bits.
///
/// H and L, the sums of a block's products with upper and lower parts, fit a word each. ΣH and ΣL modulo 2³² give the
/// result modulo 2³². The sum of blocks / 2²⁴, each rounded down, is less than 2⁶ units of 2²⁴ below the result, since
/// there are at most 64 blocks. Together they determine the 64-bit result: its low word modulo 2³², and its high word
/// from that bound.
macro_rules! dot {
    ($eight:expr, $lower:literal, $rest:literal) => {
        naked_asm!(
            // r12, lr: ΣH, ΣL. r8: the sum of blocks / 2²⁴. r9: the end of the blocks. On the stack: n.
            "push {{r4-r7, lr}}",
            "mov r4, r8",
            "mov r5, r9",
            "mov r6, r10",
            "mov r7, r11",
            "push {{r2, r4-r7}}",
            "movs r3, #0",
            "mov r8, r3",
            "mov r12, r3",
            "mov lr, r3",
            "lsrs r3, r2, #3",
            "beq 3f",
            "lsls r3, r3, #4",
            "adds r3, r0, r3",
            "mov r9, r3",
            "2:",
            $eight,
            "cmp r0, r9",
            "bne 2b",
            "3:",
            "ldr r2, [sp]",
            "movs r3, #6",
            "ands r3, r2",
            "beq 5f",
            "lsls r3, r3, #1",
            "adds r3, r0, r3",
            "mov r9, r3",
            "4:",
            concat!(two!(), close!($lower, $rest)),
            "cmp r0, r9",
            "bne 4b",
            "5:",
            "ldr r2, [sp]",
            "lsrs r2, r2, #1",
            "bcc 6f",
            "ldrh r2, [r0]",
            "sxth r2, r2",
            "ldmia r1!, {{r4, r5}}",
            "muls r4, r2, r4",
            "muls r5, r2, r5",
            close!($lower, $rest),
            "6:",
            // r0: the result modulo 2³². r1:r2: its lower bound. r3: the excess over that bound.
            "mov r0, r12",
            concat!("lsls r0, r0, #", $lower),
            "add r0, lr",
            "mov r1, r8",
            "lsls r2, r1, #24",
            "asrs r1, r1, #8",
            "subs r3, r0, r2",
            "movs r4, #0",
            "adds r3, r3, r2",
            "adcs r1, r4",
            "pop {{r2, r4-r7}}",
            "mov r8, r4",
            "mov r9, r5",
            "mov r10, r6",
            "mov r11, r7",
            "pop {{r4-r7, pc}}",
        )
    };
}

/// x · w for weights of any size in two parts: upper · 2¹⁶ + lower. Two products fit a word.
///
/// Exact for at most 128 features, none of them −2¹⁵, with upper parts in [−2¹⁵, 2¹⁵] and lower ones in [−2¹⁵, 2¹⁵).
///
/// # Safety
/// `x` is a multiple of 4 and points to `n` readable integers; `parts` points to an upper and a lower part for each.
#[unsafe(naked)]
pub unsafe extern "C" fn dot_wide(x: *const i16, parts: *const i32, n: usize) -> i64 {
    dot!(
        concat!(
            concat!(two!(), close!("16", "8")),
            concat!(two!(), close!("16", "8")),
            concat!(two!(), close!("16", "8")),
            concat!(two!(), close!("16", "8")),
        ),
        "16",
        "8"
    )
}

/// x · w for weights of up to 2²⁶ in two parts: upper · 2¹⁴ + lower. Eight products fit a word.
///
/// Exact like [`dot_wide`], but with upper parts in [−2¹², 2¹²] and lower ones in [−2¹³, 2¹³).
///
/// # Safety
/// As for [`dot_wide`].
#[unsafe(naked)]
pub unsafe extern "C" fn dot_narrow(x: *const i16, parts: *const i32, n: usize) -> i64 {
    dot!(
        concat!(
            // r10, r11: H and L so far.
            concat!(two!(), "mov r10, r4\n mov r11, r5\n"),
            concat!(two!(), "add r10, r4\n add r11, r5\n"),
            concat!(two!(), "add r10, r4\n add r11, r5\n"),
            concat!(two!(), "add r4, r10\n add r5, r11\n", close!("14", "10")),
        ),
        "14",
        "10"
    )
}
