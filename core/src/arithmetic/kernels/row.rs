//! The memory of a row.

use super::Aligned;

/// A row (φ, V), scaled so that its largest feature uses all bits: 16 bytes plus the features. The kernels know the
/// order of its fields.
#[derive(Clone, Debug, PartialEq)]
#[repr(C)]
pub struct FixedRow<const N: usize> {
    pub(in crate::arithmetic) features: Aligned<N>,
    /// V, in units of φ·w.
    pub(in crate::arithmetic) target: i64,
    // 1/‖φ‖². Not an `Inverse`, whose padding would cost four bytes.
    pub(in crate::arithmetic) inverse_mantissa: u32,
    pub(in crate::arithmetic) inverse_exponent: u16,
    /// The original row is 2^exponent times this one.
    pub(in crate::arithmetic) exponent: i16,
}

/// What is divided by ‖φ‖² in a pass.
#[derive(Clone, Copy, Debug)]
pub struct Numerator {
    /// φ·w − V instead of φ·w.
    pub(in crate::arithmetic) with_target: bool,
    /// The power of two of the quotient.
    pub(in crate::arithmetic) by: i32,
}

impl Numerator {
    /// From φ·w.
    #[inline(always)]
    pub(in crate::arithmetic) fn of<const N: usize>(self, row: &FixedRow<N>, product: i64) -> i64 {
        if self.with_target { product - row.target } else { product }
    }
}
