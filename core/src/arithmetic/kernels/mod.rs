//! The loops that time is spent in: a [portable] form of each, and a faster twin where the instruction set has one.
//!
//! Twins give the same bits; the on-target test `kernels` of the firmware compares them. Which one is used is settled when
//! the crate is compiled, by the target's name (see `build.rs`): no option is needed for it, and none is looked at.
//!
//! | target | floats | integers |
//! | --- | --- | --- |
//! | Cortex-M4F, M7 (`thumbv7em-none-eabihf`) | `vfp` | `long_multiply`, `dual_multiply` |
//! | Cortex-M33 (`thumbv8m.main-none-eabihf`) | `vfp` | `long_multiply` |
//! | Cortex-M3 (`thumbv7m-none-eabi`) | portable | `long_multiply` |
//! | Cortex-M0, M0+ (`thumbv6m-none-eabi`) | portable | `short_multiply` |
//! | others | portable | portable |
//!
//! Public for the tests and the bench of the firmware only: nothing here is promised. `unsafe` is allowed here and nowhere
//! else.

#![allow(unsafe_code)]

#[cfg(has_dsp)]
pub mod dual_multiply;
mod float;
#[cfg(has_dsp)]
mod halves;
mod integer;
#[cfg(has_long_multiply)]
pub mod long_multiply;
pub mod portable;
#[cfg(has_short_multiply)]
pub mod short_multiply;
#[cfg(has_vfp)]
pub mod vfp;

pub use float::{FloatKernels, sqrt};
#[cfg(has_dsp)]
pub use halves::Halves;
pub(super) use integer::bits_of;
pub use integer::{Aligned, IntegerKernels};
#[cfg(has_short_multiply)]
pub use short_multiply::Parts;
