//! Kernels for the single-precision FPU of a Cortex-M4F, M7 or M33, with the bits of their [portable](super::portable) twins.
//!
//! What costs time in a plain loop is not the arithmetic but the loads: here one VLDM brings twelve numbers, and two rows at
//! a time share those of the weights or of the sum. Products and sums are VMUL and VADD, one rounding each: VMLA would save
//! instructions and lose time (three cycles against two on an M4), VFMA would change the bits.
//!
//! The same bits as everywhere take an FPU that rounds to nearest and keeps subnormals: FPSCR as it is after reset, without
//! FZ and with RMode = 0 (DN changes nothing but payloads of NaN, which are never looked at).
//!
//! Whole functions, by the procedure call standard: `s0`–`s15`, `r0`–`r3` and `r12` are free, `d8`–`d15` are saved.

use core::arch::naked_asm;

/// The assembler takes a function like these for one of the bare target, which has no FPU.
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

/// VADD for each `y+x`: sy ← sy + sx. Neighbours have different y, so that none waits for the one before.
macro_rules! add {
    ($($y:literal+$x:literal)*) => { concat!($("vadd.f32 s", $y, ", s", $y, ", s", $x, "\n",)*) };
}

/// VSUB for each `x-y`: sx ← sx − sy.
macro_rules! subtract {
    ($($x:literal-$y:literal)*) => { concat!($("vsub.f32 s", $x, ", s", $x, ", s", $y, "\n",)*) };
}

/// Goes through `$count` elements four by four, then one by one.
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

/// Goes through `$count` elements in blocks of twelve, of four, of two, then one: a rest costs what its elements do, so that
/// the whole grows in a straight line. Sums have another lane for the last one after two, since element i meets lane i mod 4.
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
            // The number of elements left, less four: its bit 1 becomes the carry, its bit 0 the sign.
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
pub use update::{average_step, largest, multiply, step, step_doubt};

/// √x.
///
/// # Safety
/// None is needed.
#[unsafe(naked)]
pub unsafe extern "C" fn sqrt(x: f32) -> f32 {
    naked_asm!(fpu!(), "vsqrt.f32 s0, s0", "bx lr")
}
