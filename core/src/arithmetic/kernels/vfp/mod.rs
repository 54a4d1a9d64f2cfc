//! Kernels for the single-precision FPU of a Cortex-M4F, M7 or M33, bit-exact with their [portable](super::portable)
//! twins.
//!
//! In a plain loop the loads cost more time than the arithmetic. Here one VLDM loads twelve numbers, and two rows at a
//! time share the loads of the weights or of the sum. Products and sums are VMUL and VADD, one rounding each: VMLA
//! would save instructions but lose time (three cycles against two on an M4), and VFMA would change the bits.
//!
//! Bit-exact results require an FPU that rounds to nearest even and keeps subnormals: FPSCR as after reset, without FZ
//! and with RMode = 0. (DN only changes NaN payloads, which are never used.)
//!
//! These are whole functions that follow the procedure call standard: `s0`–`s15`, `r0`–`r3` and `r12` are free,
//! `d8`–`d15` are saved.

use core::arch::naked_asm;

/// Enables the FPU: the assembler assumes the bare target for naked functions, which has none.
macro_rules! fpu {
    () => {
        ".fpu fpv4-sp-d16"
    };
}

/// VMUL for each `x*w`: sx ← sx · sw.
macro_rules! multiply {
    ($($x:literal*$w:literal)*) => { concat!($("vmul.f32 s", $x, ", s", $x, ", s", $w, "\n",)*) };
}

/// VMUL for each `z=x*w`: sz ← sx · sw.
macro_rules! product {
    ($($z:literal=$x:literal*$w:literal)*) => { concat!($("vmul.f32 s", $z, ", s", $x, ", s", $w, "\n",)*) };
}

/// VADD for each `y+x`: sy ← sy + sx. Neighbours have different y, so that none waits for the previous one.
macro_rules! add {
    ($($y:literal+$x:literal)*) => { concat!($("vadd.f32 s", $y, ", s", $y, ", s", $x, "\n",)*) };
}

/// VSUB for each `x-y`: sx ← sx − sy.
macro_rules! subtract {
    ($($x:literal-$y:literal)*) => { concat!($("vsub.f32 s", $x, ", s", $x, ", s", $y, "\n",)*) };
}

/// Processes `$count` elements in fours, then one by one.
macro_rules! in_fours {
    ($count:literal, $four:expr, $one:expr) => {
        concat!(
            "subs ",
            $count,
            ", #4\n blo 3f\n 2:\n",
            $four,
            "subs ",
            $count,
            ", #4\n bhs 2b\n 3:\n",
            "adds ",
            $count,
            ", #4\n beq 5f\n 4:\n",
            $one,
            "subs ",
            $count,
            ", #1\n bne 4b\n 5:\n",
        )
    };
}

/// Processes `$count` elements in blocks of twelve, four and two, then one. The tail costs no more per element than the
/// rest, so the total time is linear. After a block of two, the last element has a different lane, since element i goes
/// to lane i mod 4.
macro_rules! in_blocks {
    ($count:literal, $twelve:expr, $four:expr, $two:expr, $one:expr) => {
        in_blocks!(@ $count, $twelve, $four, concat!("bcc 6f\n", $two, "6:\n bpl 7f\n", $one, "7:\n"))
    };
    ($count:literal, $twelve:expr, $four:expr, $two:expr, $third:expr, $first:expr) => {
        in_blocks!(@ $count, $twelve, $four, concat!(
            "bcc 6f\n", $two, "bpl 7f\n", $third, "b 7f\n 6:\n bpl 7f\n", $first, "7:\n"
        ))
    };
    (@ $count:literal, $twelve:expr, $four:expr, $rest:expr) => {
        concat!(
            "subs ",
            $count,
            ", #12\n blo 3f\n 2:\n",
            $twelve,
            "subs ",
            $count,
            ", #12\n bhs 2b\n 3:\n",
            "adds ",
            $count,
            ", #8\n bmi 5f\n 4:\n",
            $four,
            "subs ",
            $count,
            ", #4\n bpl 4b\n 5:\n",
            // The number of elements left, minus four: bit 1 becomes the carry, bit 0 the sign.
            "lsls ",
            $count,
            ", #31\n",
            $rest,
        )
    };
}

mod rows;
mod trace;
mod update;

pub use rows::{Pair, add_scaled, add_scaled_pair, dot, dot_pair, norm_squared};
pub use trace::trace_step;
pub use update::{average_step, copy, difference, largest, multiply, step, step_doubt};

/// √x.
///
/// # Safety
/// No requirements.
#[unsafe(naked)]
pub unsafe extern "C" fn sqrt(x: f32) -> f32 {
    naked_asm!(fpu!(), "vsqrt.f32 s0, s0", "bx lr")
}
