//! Kernels for the vectors of Helium (a Cortex-M55 or M85), of four floats or eight integers, bit-exact with their
//! [portable](super::portable) twins. What is not here is as in `vfp`, `dsp` and `armv7m`: copying has nothing to gain, and
//! there are no vectors of 64-bit sums.
//!
//! One vector register is exactly the four lanes of a sum. Loops are tail-predicated: past the last element, lanes are
//! switched off, and keep what they have. (Adding zero instead would turn −0 into +0.) As in `vfp`, nothing is fused.
//!
//! Vectors differ from the FPU in one respect: they take subnormal numbers for zero, and make zeros of subnormal results,
//! whatever FPSCR says. It tells, though, by the cumulative flags IDC and UFC. So every kernel looks at them before it
//! writes a result, and leaves what has raised one to its twin in `vfp`, or to a portable one. A flag that something else has raised costs only
//! the time for that.
//!
//! These are whole functions that follow the procedure call standard: `q0`–`q3`, `r0`–`r3` and `r12` are free, `q4`–`q7`
//! are saved, and so is LR, which counts the loops. The flags of FPSCR are not preserved across calls.

/// Enables Helium: the assembler assumes the bare target for naked functions, which has none.
macro_rules! mve {
    () => {
        ".arch armv8.1-m.main\n .arch_extension mve.fp"
    };
}

/// `$four` for each four of `$count` elements. LR counts those that are left; behind the last, lanes are switched off.
macro_rules! in_fours {
    ($count:literal, $four:expr) => {
        concat!("wlstp.32 lr, ", $count, ", 5f\n 4:\n", $four, "letp lr, 4b\n 5:\n")
    };
}

/// `$sixteen` for each sixteen of `$count` elements, counted by LR, then `$four` for the rest. Four vectors share what is not
/// arithmetic: the end of the loop, and a look at the flags.
macro_rules! in_sixteens {
    ($count:literal, $sixteen:expr, $four:expr) => {
        concat!(
            "lsr lr, ",
            $count,
            ", #4\n wls lr, lr, 3f\n 2:\n",
            $sixteen,
            "le lr, 2b\n 3:\n and ",
            $count,
            ", #15\n",
            in_fours!($count, $four),
        )
    };
}

/// Goes to `$subnormal` if a subnormal number has been taken for zero. `$flags` is overwritten by FPSCR.
macro_rules! check {
    ($flags:literal, $subnormal:literal) => {
        concat!("vmrs ", $flags, ", fpscr\n tst ", $flags, ", #0x88\n bne ", $subnormal, "\n")
    };
}

/// Lowers the flags.
macro_rules! clear {
    ($flags:literal) => {
        concat!("vmrs ", $flags, ", fpscr\n bic ", $flags, ", #0x88\n vmsr fpscr, ", $flags, "\n")
    };
}

/// Where `in_sixteens` goes if its check fails, 8 in a sixteen and 9 in a four: leaves the loop with `$count` elements to do
/// and the flags lowered. The pointers in brackets have already been advanced past the vectors in question.
macro_rules! leave_sixteens {
    ($count:literal, $flags:literal, [$($pointer:literal)*]) => {
        concat!(
            "8:\n and ", $count, ", #15\n add lr, ", $count, ", lr, lsl #4\n",
            $("sub ", $pointer, ", #48\n",)*
            leave_fours!($count, $flags, [$($pointer)*]),
        )
    };
}

/// The same for `in_fours`.
macro_rules! leave_fours {
    ($count:literal, $flags:literal, [$($pointer:literal)*]) => {
        concat!("9:\n", $("sub ", $pointer, ", #16\n",)* "mov ", $count, ", lr\n lctp\n", clear!($flags))
    };
}

#[cfg(feature = "fixed-point")]
mod integers;
pub mod rows;
mod sized;
mod trace;
mod twins;
pub mod update;

pub use super::vfp::*;
#[cfg(feature = "fixed-point")]
pub use integers::{dot_halves_pair, square_integers};
pub use sized::{add_projections, add_scaled, dot, dot_pair, multiply, norm_squared};
pub use trace::trace_step;
pub use update::{largest, step, step_doubt};
