//! The hot loops: a [portable] form of each, and a faster twin if the instruction set allows one.
//!
//! Twins are bit-exact; the on-target test `kernels` of the firmware compares them. The choice is made at compile time,
//! by the target's name (see `build.rs`); no compiler options are needed or considered. Whether an Armv8-M core has the DSP
//! extension, its target does not tell: there, a feature of this crate does. Elsewhere it does nothing.
//!
//! | target | floats | integers |
//! | --- | --- | --- |
//! | Cortex-M4F, M7 (`thumbv7em-none-eabihf`) | `vfp` | `armv7m`, `dsp` |
//! | Cortex-M33 (`thumbv8m.main-none-eabihf`) | `vfp` | `armv7m` |
//! | the same with DSP: nRF53, RP2350, STM32U5 (feature `armv8m-dsp`) | `vfp` | `armv7m`, `dsp` |
//! | Cortex-M3 (`thumbv7m-none-eabi`) | portable, `soft` | `armv7m` |
//! | Cortex-M0, M0+ (`thumbv6m-none-eabi`) | portable, `soft` | `armv6m` |
//! | others | portable | portable |
//!
//! Public only for the tests and the bench of the firmware: nothing here is stable. `unsafe` is allowed only here.

#![allow(unsafe_code)]

#[cfg(all(has_short_multiply, feature = "fixed-point"))]
pub mod armv6m;
#[cfg(all(has_long_multiply, feature = "fixed-point"))]
pub mod armv7m;
#[cfg(all(has_long_multiply, feature = "fixed-point"))]
pub mod armv7m_track;
#[cfg(all(has_dsp, feature = "fixed-point"))]
pub mod dsp;
mod float;
#[cfg(feature = "fixed-point")]
pub mod integer;
pub mod portable;
#[cfg(feature = "fixed-point")]
pub mod quotient;
#[cfg(feature = "fixed-point")]
mod row;
#[cfg(any(no_fpu, test))]
pub mod soft;
#[cfg(feature = "fixed-point")]
pub mod turn;
#[cfg(feature = "fixed-point")]
pub mod vectors;
#[cfg(has_vfp)]
pub mod vfp;

pub use float::{FloatKernels, from_integer, sqrt};
#[cfg(feature = "fixed-point")]
pub use integer::Aligned;
#[cfg(feature = "fixed-point")]
pub(super) use integer::{bits_of, bits_of_mut};
#[cfg(feature = "fixed-point")]
pub(super) use quotient::{MANTISSA, quotient};
#[cfg(feature = "fixed-point")]
pub use row::{FixedRow, Numerator};
