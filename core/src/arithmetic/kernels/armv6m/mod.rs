//! Kernels for cores whose only multiplication is 32 × 32 to 32 bits: Cortex-M0 and M0+. Exact, like their
//! [portable](super::portable) twins, which on these cores call a routine of about 25 instructions for each 64-bit
//! product.
//!
//! Instead, the other factor is split into two parts, so that products with a feature of 15 bits and a sign fit
//! 32 bits with room to spare, and several of them are added before widening. That is exact if no feature is −2¹⁵,
//! which holds for every row: encoding clamps to ±(2¹⁵ − 1). A feature of −2¹⁵ would only give a wrong sum.
//!
//! These are whole functions that follow the procedure call standard: `r0`–`r3` and `r12` are free, `r4`–`r11` are
//! saved. Only `r0`–`r7` can compute; the others can be moved, compared, and added without a carry, so they hold sums
//! and constants.

/// Saves `r4` to `r11`, which takes 36 bytes of stack.
#[cfg(feature = "fixed-point")]
macro_rules! save {
    () => {
        "push {{r4-r7, lr}}
        mov r4, r8
        mov r5, r9
        mov r6, r10
        mov r7, r11
        push {{r4-r7}}"
    };
}

/// The same backwards, and returns.
#[cfg(feature = "fixed-point")]
macro_rules! restore {
    () => {
        "pop {{r4-r7}}
        mov r8, r4
        mov r9, r5
        mov r10, r6
        mov r11, r7
        pop {{r4-r7, pc}}"
    };
}

#[cfg(feature = "fixed-point")]
pub mod chosen;
#[cfg(feature = "fixed-point")]
mod integers;
#[cfg(feature = "fixed-point")]
mod quotient;
#[cfg(feature = "fixed-point")]
mod reciprocal;
pub mod single;
#[cfg(feature = "fixed-point")]
mod split_weights;

#[cfg(feature = "fixed-point")]
pub use {
    integers::{add_scaled_pair, norm_squared},
    quotient::quotient,
    reciprocal::reciprocal,
    split_weights::{dot_narrow, dot_wide},
};
