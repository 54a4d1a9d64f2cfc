//! The memory of rows and weights, as the kernels see it.

use fixed::traits::FixedSigned;

use crate::state::{Persist, Reader, Writer};

/// The features of a row. They start at a multiple of 4, so that two can be loaded as one word.
///
/// In an encoded row, no feature is −2¹⁵. The sums of `armv6m` are exact only then, but safety does not depend on it.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(4))]
pub struct Aligned<const N: usize>(pub [i16; N]);

impl<const N: usize> Persist for Aligned<N> {
    const BYTES: usize = <[i16; N]>::BYTES;
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
    fn read(&mut self, reader: &mut Reader<'_>) {
        self.0.read(reader);
    }
}

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

/// Fixed-point weights as integers.
#[inline]
pub(crate) fn bits_of<W: FixedSigned<Bits = i32>, const N: usize>(weights: &[W; N]) -> &[i32; N] {
    const { assert!(size_of::<W>() == size_of::<i32>() && align_of::<W>() == align_of::<i32>()) };
    // SAFETY: the trait is sealed, and its only types with these bits are `FixedI32`, transparent around an `i32`.
    unsafe { &*weights.as_ptr().cast() }
}

/// The same, to be changed.
#[inline]
pub(crate) fn bits_of_mut<W: FixedSigned<Bits = i32>, const N: usize>(weights: &mut [W; N]) -> &mut [i32; N] {
    const { assert!(size_of::<W>() == size_of::<i32>() && align_of::<W>() == align_of::<i32>()) };
    // SAFETY: see `bits_of`; every `i32` is the bits of a weight.
    unsafe { &mut *weights.as_mut_ptr().cast() }
}
