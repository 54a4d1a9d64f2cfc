//! The statistics of a tracking learner's errors.

use core::arch::naked_asm;

use super::super::errors::Errors;

/// [`Errors::observe`] for a count of [`MEMORY`](super::super::errors::MEMORY): returns the bits of the excess.
///
/// # Safety
/// The pointer is valid. The error is finite and not negative.
#[unsafe(naked)]
pub unsafe extern "C" fn observe(errors: *mut Errors<f32>, error: f32) -> i32 {
    naked_asm!(
        fpu!(),
        // s0: the error, then the bounded one. s1, s2, s3: mean, excess, spread. r1: rows.
        "vldmia r0, {{s1-s3}}",
        "ldr r1, [r0, #12]",
        "adds r1, #1",
        "it cs",
        "movcs r1, #-1",
        "vmul.f32 s4, s0, s0",
        "vldr s6, 7f",
        "vmov r2, s4",
        "vmov.f32 s7, #4.0",
        "cmp r2, #0x7f800000",
        "bge 2f",
        "vsub.f32 s4, s4, s3",
        "vmul.f32 s4, s4, s6",
        "vadd.f32 s3, s3, s4",
        "2:",
        "vmul.f32 s5, s1, s7",
        "vldr s6, 8f",
        "vcmp.f32 s0, s5",
        "vmrs APSR_nzcv, fpscr",
        "it pl",
        "vmovpl.f32 s0, s5",
        "vsub.f32 s5, s0, s1",
        "vmul.f32 s5, s5, s6",
        "vadd.f32 s1, s1, s5",
        "vmov.f32 s6, #1.75",
        "vmov r3, s1",
        "cmp r3, #0",
        "ble 4f",
        "vdiv.f32 s0, s0, s1",
        "vsub.f32 s0, s0, s6",
        "vadd.f32 s2, s2, s0",
        "vmov r2, s2",
        // 0 instead of a negative number.
        "bic r2, r2, r2, asr #31",
        "vmov s2, r2",
        "3:",
        "vstmia r0!, {{s1-s3}}",
        "str r1, [r0]",
        "mov r0, r2",
        "bx lr",
        "4:",
        "vmov r2, s2",
        "b 3b",
        ".p2align 2",
        "7: .float 0.01",
        "8: .float 0.005",
    )
}
