//! The hot loops: a [portable] form of each, and a faster twin if the instruction set allows one.
//!
//! Twins are bit-exact; the on-target test `kernels` of the firmware compares them. The choice is made at compile time,
//! by the target's name (see `build.rs`); no compiler options are needed or considered. Whether an Armv8-M core has the DSP
//! extension, its target does not tell: there, a feature of this crate does. Elsewhere it does nothing.
//!
//! Each folder has the same files, one per operation, as far as it has kernels. Its `chosen` makes them safe, and completes them
//! by portable ones.
//!
//! | target | floats | integers |
//! | --- | --- | --- |
//! | Cortex-M4F, M7 (`thumbv7em-none-eabihf`) | `vfp` | `armv7m` with `dsp` |
//! | Cortex-M33 (`thumbv8m.main-none-eabihf`) | `vfp` | `armv7m` |
//! | the same with DSP: nRF53, RP2350, STM32U5 (feature `armv8m-dsp`) | `vfp` | `armv7m` with `dsp` |
//! | Cortex-M3 (`thumbv7m-none-eabi`) | portable, [`soft`] | `armv7m` |
//! | Cortex-M0, M0+ (`thumbv6m-none-eabi`) | portable, [`soft`] by `armv6m` | `armv6m` |
//! | others | portable | portable |
//!
//! Public only for the tests and the bench of the firmware: nothing here is stable. `unsafe` is allowed only here.

#![allow(unsafe_code)]

#[cfg(has_short_multiply)]
pub mod armv6m;
#[cfg(all(has_long_multiply, feature = "fixed-point"))]
pub mod armv7m;
#[macro_use]
mod float;
pub mod portable;
#[cfg(feature = "fixed-point")]
mod row;
pub mod soft;
#[cfg(has_vfp)]
pub mod vfp;

#[cfg(feature = "fixed-point")]
pub use super::fixed::rounding::FloatShift;
pub use float::FloatKernels;
#[cfg(feature = "fixed-point")]
pub use row::{Aligned, FixedRow, Numerator};
#[cfg(feature = "fixed-point")]
pub(super) use row::{bits_of, bits_of_mut};

// Here, and nowhere else, is chosen.

#[cfg(all(has_short_multiply, feature = "fixed-point"))]
pub use armv6m::chosen as integer;
#[cfg(has_short_multiply)]
use armv6m::single;
#[cfg(all(has_long_multiply, feature = "fixed-point"))]
pub use armv7m::chosen as integer;
#[cfg(not(any(has_vfp, no_fpu)))]
pub use libm::sqrtf as sqrt;
#[cfg(all(not(any(has_long_multiply, has_short_multiply)), feature = "fixed-point"))]
pub use portable::chosen as integer;
#[cfg(not(has_short_multiply))]
use portable::single;
#[cfg(all(no_fpu, not(has_short_multiply), feature = "fixed-point"))]
pub(super) use portable::single::root_of_word;
#[cfg(all(not(any(has_vfp, all(no_fpu, not(has_short_multiply)))), feature = "fixed-point"))]
pub(super) use portable::words::root_of_word;
#[cfg(all(has_vfp, feature = "fixed-point"))]
pub(super) use portable::words::root_of_word_by_float as root_of_word;
pub use single::from_integer;
#[cfg(no_fpu)]
pub use soft::sqrt;
#[cfg(has_vfp)]
pub use vfp::chosen::sqrt;
