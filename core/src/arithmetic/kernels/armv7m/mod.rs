//! Kernels for cores with SMLAL (32 × 32 + 64 bits): Cortex-M3 and up. Exact, like their [portable](super::portable) twins.
//!
//! Loops begin at a word, since a branch to a wide instruction between words takes longer; no NOP is executed for that.
//!
//! Features are loaded one by one, since LDRSH sign-extends on the way. Two rows at a time share the loads of the
//! weights or of the sums, several per LDM.
//!
//! These are whole functions that follow the procedure call standard: `r0`–`r3` and `r12` are free, `r4`–`r11` are
//! saved.

pub mod chosen;
pub mod cosine;
#[cfg(has_dsp)]
pub mod dsp;
mod integers;
mod quotient;
pub mod vectors;

#[cfg(not(has_dsp))]
pub use integers::norm_squared;
pub use integers::{add_scaled_pair, dot_pair};
pub use quotient::quotient;
