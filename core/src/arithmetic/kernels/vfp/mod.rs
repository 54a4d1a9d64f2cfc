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
//! `d8`–`d15` are saved. Those with a parameter `N` are assembled for each number of features that a program has. Few
//! features then cost neither branches nor saved registers, and the blocks that do not occur take no flash.

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

/// Processes the `{n}` elements of a vector in blocks of twelve, four and two, then one. The assembler keeps only the
/// blocks that occur, and only from 24 elements on there is a loop, with its own register for the count.
macro_rules! in_blocks {
    ($count:literal, $twelve:expr, $four:expr, $two:expr, $one:expr) => {
        concat!(
            ".if {n} >= 24\n movw ",
            $count,
            ", #({n} / 12)\n 2:\n",
            $twelve,
            "subs ",
            $count,
            ", #1\n bne 2b\n .elseif {n} >= 12\n",
            $twelve,
            ".endif\n .rept ({n} % 12) / 4\n",
            $four,
            ".endr\n .if {n} & 2\n",
            $two,
            ".endif\n .if {n} & 1\n",
            $one,
            ".endif\n",
        )
    };
}

/// The same for sums in lanes: element i goes to lane i mod 4, so the last element has another lane after a block of two.
///
/// Without a loop, the first four products are the lanes. In a sum of products they may be −0 where 0 + −0 is 0, which is
/// corrected at the end (`$sum`; `$plain` is the sum of lanes that began with 0).
macro_rules! in_lanes {
    (
        $count:literal, zero: $zero:expr, twelve: $first_twelve:expr, $twelve:expr, four: $first_four:expr, $four:expr,
        two: $two:expr, third: $third:expr, first: $first:expr, sum: $sum:expr, $plain:expr
    ) => {
        concat!(
            ".if {n} >= 24\n",
            $zero,
            "movw ",
            $count,
            ", #({n} / 12)\n 2:\n",
            $twelve,
            "subs ",
            $count,
            ", #1\n bne 2b\n .rept ({n} % 12) / 4\n",
            $four,
            ".endr\n .elseif {n} >= 12\n",
            $first_twelve,
            ".rept {n} / 4 - 3\n",
            $four,
            ".endr\n .elseif {n} >= 4\n",
            $first_four,
            ".rept {n} / 4 - 1\n",
            $four,
            ".endr\n .else\n",
            $zero,
            ".endif\n .if {n} & 2\n",
            $two,
            ".endif\n .if {n} % 4 == 3\n",
            $third,
            ".endif\n .if {n} % 4 == 1\n",
            $first,
            ".endif\n .if {n} >= 4 && {n} < 24\n",
            $sum,
            ".else\n",
            $plain,
            ".endif\n",
        )
    };
}

/// Saves and restores registers that only the block of twelve needs.
macro_rules! saving {
    ($registers:literal, $code:expr) => {
        concat!(
            ".if {n} >= 12\n vpush {{",
            $registers,
            "}}\n .endif\n",
            $code,
            ".if {n} >= 12\n vpop {{",
            $registers,
            "}}\n .endif\n",
        )
    };
}

/// a · w and b · w in s0 and s1, from the vectors at `$a`, `$b` and `$w`, which end behind them. `$zero` contains 0.
macro_rules! two_products {
    ($a:literal, $b:literal, $w:literal, $zero:literal, $count:literal) => {
        // s0–s3, s4–s7: lanes of a and b. s8–s19: w. s20–s31: a, then b, then products; s12–s15 in short blocks.
        in_lanes!(
            $count,
            zero: concat!("vmov d0, ", $zero, ", ", $zero, "\n vmov d1, ", $zero, ", ", $zero, "\n vmov d2, ", $zero, ", ",
                $zero, "\n vmov d3, ", $zero, ", ", $zero, "\n"),
            twelve: concat!(
                "vldmia ", $w, "!, {{s8-s19}}\n vldmia ", $a, "!, {{s20-s31}}\n",
                product!(0=20*8 1=21*9 2=22*10 3=23*11),
                multiply!(24*12 25*13 26*14 27*15 28*16 29*17 30*18 31*19),
                add!(0+24 1+25 2+26 3+27 0+28 1+29 2+30 3+31),
                "vldmia ", $b, "!, {{s20-s31}}\n",
                product!(4=20*8 5=21*9 6=22*10 7=23*11),
                multiply!(24*12 25*13 26*14 27*15 28*16 29*17 30*18 31*19),
                add!(4+24 5+25 6+26 7+27 4+28 5+29 6+30 7+31),
            ),
            concat!(
                "vldmia ", $w, "!, {{s8-s19}}\n vldmia ", $a, "!, {{s20-s31}}\n",
                multiply!(20*8 21*9 22*10 23*11 24*12 25*13 26*14 27*15 28*16 29*17 30*18 31*19),
                add!(0+20 1+21 2+22 3+23 0+24 1+25 2+26 3+27 0+28 1+29 2+30 3+31),
                "vldmia ", $b, "!, {{s20-s31}}\n",
                multiply!(20*8 21*9 22*10 23*11 24*12 25*13 26*14 27*15 28*16 29*17 30*18 31*19),
                add!(4+20 5+21 6+22 7+23 4+24 5+25 6+26 7+27 4+28 5+29 6+30 7+31),
            ),
            four: concat!(
                "vldmia ", $w, "!, {{s8-s11}}\n vldmia ", $a, "!, {{s0-s3}}\n vldmia ", $b, "!, {{s4-s7}}\n",
                multiply!(0*8 1*9 2*10 3*11 4*8 5*9 6*10 7*11),
            ),
            concat!(
                "vldmia ", $w, "!, {{s8-s11}}\n vldmia ", $a, "!, {{s12-s15}}\n",
                multiply!(12*8 13*9 14*10 15*11),
                add!(0+12 1+13 2+14 3+15),
                "vldmia ", $b, "!, {{s12-s15}}\n",
                multiply!(12*8 13*9 14*10 15*11),
                add!(4+12 5+13 6+14 7+15),
            ),
            two: concat!(
                "vldmia ", $w, "!, {{s8-s9}}\n vldmia ", $a, "!, {{s12-s13}}\n vldmia ", $b, "!, {{s14-s15}}\n",
                multiply!(12*8 13*9 14*8 15*9),
                add!(0+12 1+13 4+14 5+15),
            ),
            third: concat!(
                "vldmia ", $w, "!, {{s8}}\n vldmia ", $a, "!, {{s12}}\n vldmia ", $b, "!, {{s13}}\n",
                multiply!(12*8 13*8),
                add!(2+12 6+13),
            ),
            first: concat!(
                "vldmia ", $w, "!, {{s8}}\n vldmia ", $a, "!, {{s12}}\n vldmia ", $b, "!, {{s13}}\n",
                multiply!(12*8 13*8),
                add!(0+12 4+13),
            ),
            sum: concat!(
                "vmov s8, ", $zero, "\n", add!(0+1 4+5 2+3 6+7 0+2 4+6), "vadd.f32 s0, s0, s8\n vadd.f32 s1, s4, s8\n"
            ),
            concat!(add!(0+1 4+5 2+3 6+7 0+2), "vadd.f32 s1, s4, s6\n")
        )
    };
}

pub mod chosen;
mod pass;
mod rows;
mod trace;
mod update;

pub use pass::{add_few_projections, add_projections};
pub use rows::{Pair, add_scaled, dot, dot_pair, norm_squared};
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
