//! Kernels for vectors of fixed point: once per update.

use core::arch::naked_asm;

use super::super::FloatShift;

/// Loads the fields of a [`FloatShift`] from `$from`: r4 is its factor, r5 the shift, r6 the bias, r7 the least lower
/// word that rounds up, r8 the bits to spare.
macro_rules! load {
    ($from:literal) => {
        concat!("ldmia ", $from, ", {{r4-r8}}\n")
    };
}

/// r10 ← r9, shifted to the left by the bits to spare; without them, to the label 3.
macro_rules! spare {
    () => {
        "lsl r10, r9, r8
        asr r11, r10, r8
        cmp r11, r9
        bne 3f
        "
    };
}

/// r11 ← r10 times the factor, shifted and rounded.
macro_rules! times {
    () => {
        "smull r10, r11, r10, r4
        asr r12, r11, r5
        and r12, r12, #1
        sub r12, r7, r12
        cmp r10, r12
        adc r11, r11, r6
        asr r11, r11, r5
        "
    };
}

/// The leading values times a factor, never the same unless 0. Returns how many are left.
///
/// # Safety
/// `values` points to `n` integers, n > 0, and `shift` to its fields.
#[unsafe(naked)]
pub unsafe extern "C" fn decay(values: *mut i32, n: usize, shift: *const FloatShift) -> usize {
    naked_asm!(
        "push {{r4-r12, lr}}",
        load!("r2"),
        "2:",
        "ldr r9, [r0]",
        spare!(),
        times!(),
        "cmp r11, r9",
        "beq 5f",
        "4:",
        "str r11, [r0], #4",
        "subs r1, #1",
        "bne 2b",
        "3:",
        "mov r0, r1",
        "pop {{r4-r12, pc}}",
        "5:",
        // One unit towards 0.
        "cmp r9, #0",
        "it gt",
        "subgt r11, #1",
        "it lt",
        "addlt r11, #1",
        "b 4b",
    )
}

/// velocity ← velocity − gain · direction, weights ← weights + velocity for the leading elements. Returns how many are
/// left.
///
/// # Safety
/// All pointers point to `n` integers, n > 0, without overlaps, and `gain` to its fields.
#[unsafe(naked)]
pub unsafe extern "C" fn step(
    weights: *mut i32,
    velocity: *mut i32,
    direction: *const i32,
    n: usize,
    gain: *const FloatShift,
) -> usize {
    naked_asm!(
        "push {{r4-r12, lr}}",
        "ldr r12, [sp, #40]",
        load!("r12"),
        "2:",
        "ldr r9, [r2], #4",
        spare!(),
        times!(),
        "ldr r9, [r1]",
        "subs r9, r9, r11",
        "bvs 3f",
        "ldr r10, [r0]",
        "adds r10, r10, r9",
        "bvs 3f",
        "str r9, [r1], #4",
        "str r10, [r0], #4",
        "subs r3, #1",
        "bne 2b",
        "3:",
        "mov r0, r3",
        "pop {{r4-r12, pc}}",
    )
}

/// The magnitudes of all values, combined by or.
///
/// # Safety
/// `values` points to `n` integers, n > 0.
#[unsafe(naked)]
pub unsafe extern "C" fn magnitudes(values: *const i64, n: usize) -> u64 {
    naked_asm!(
        "push {{r4-r6, lr}}",
        "movs r2, #0",
        "movs r3, #0",
        "2:",
        "ldrd r4, r5, [r0], #8",
        "adds r4, r4, r5, asr #31",
        "adc r6, r5, r5, asr #31",
        "eor r4, r4, r5, asr #31",
        "eor r6, r6, r5, asr #31",
        "orrs r2, r4",
        "orrs r3, r6",
        "subs r1, #1",
        "bne 2b",
        "mov r0, r2",
        "mov r1, r3",
        "pop {{r4-r6, pc}}",
    )
}

/// r7 ← the next value at r0 times the factor in r3, by 2⁻³², rounded. The lower word that rounds up is in r8.
macro_rules! rounded {
    () => {
        "ldrd r4, r5, [r0], #8
        umull r6, r7, r4, r3
        mla r7, r5, r3, r7
        and r4, r7, #1
        sub r4, r8, r4
        cmp r6, r4
        adc r7, r7, #0
        "
    };
}

/// mantissas ← values · factor / 2³², rounded to even, for values that fit a word then.
///
/// # Safety
/// Both pointers point to `n` integers, n > 0.
#[unsafe(naked)]
pub unsafe extern "C" fn shift_all(values: *const i64, mantissas: *mut i32, n: usize, factor: u32) {
    naked_asm!(
        "push {{r4-r8, lr}}",
        "mov r8, #0x80000000",
        "add r8, #1",
        "2:",
        rounded!(),
        "str r7, [r1], #4",
        "subs r2, #1",
        "bne 2b",
        "pop {{r4-r8, pc}}",
    )
}

/// The sum of the squares of these mantissas.
///
/// # Safety
/// The pointer points to `n` integers, n > 0.
#[unsafe(naked)]
pub unsafe extern "C" fn sum_of_squares(values: *const i64, n: usize, factor: u32) -> u64 {
    naked_asm!(
        "push {{r4-r9, lr}}",
        "mov r3, r2",
        "mov r8, #0x80000000",
        "add r8, #1",
        "movs r2, #0",
        "mov r9, #0",
        "2:",
        rounded!(),
        "smlal r2, r9, r7, r7",
        "subs r1, #1",
        "bne 2b",
        "mov r0, r2",
        "mov r1, r9",
        "pop {{r4-r9, pc}}",
    )
}
