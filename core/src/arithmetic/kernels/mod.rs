//! The hot loops: a [portable] form of each, and a faster twin if the instruction set allows one.
//!
//! Twins are bit-exact; the on-target test `kernels` of the firmware compares them. The choice is made at compile time,
//! by the target's name (see `build.rs`); no compiler options are needed or considered.
//!
//! | target | floats | integers |
//! | --- | --- | --- |
//! | Cortex-M4F, M7 (`thumbv7em-none-eabihf`) | `vfp` | `armv7m`, `dsp` |
//! | Cortex-M33 (`thumbv8m.main-none-eabihf`) | `vfp` | `armv7m` |
//! | Cortex-M3 (`thumbv7m-none-eabi`) | portable | `armv7m` |
//! | Cortex-M0, M0+ (`thumbv6m-none-eabi`) | portable | `armv6m` |
//! | others | portable | portable |
//!
//! Public only for the tests and the bench of the firmware: nothing here is stable. `unsafe` is allowed only here.

#![allow(unsafe_code)]

#[cfg(all(has_short_multiply, feature = "fixed-point"))]
pub mod armv6m;
#[cfg(all(has_long_multiply, feature = "fixed-point"))]
pub mod armv7m;
#[cfg(all(has_dsp, feature = "fixed-point"))]
pub mod dsp;
mod float;
#[cfg(feature = "fixed-point")]
mod integer;
pub mod portable;
#[cfg(has_vfp)]
pub mod vfp;

#[cfg(all(has_short_multiply, feature = "fixed-point"))]
pub use armv6m::SplitWeights;
#[cfg(all(has_dsp, feature = "fixed-point"))]
pub use dsp::SplitWeights;
pub use float::{FloatKernels, sqrt};
#[cfg(feature = "fixed-point")]
pub(super) use integer::bits_of;
#[cfg(feature = "fixed-point")]
pub use integer::{Aligned, IntegerKernels};
