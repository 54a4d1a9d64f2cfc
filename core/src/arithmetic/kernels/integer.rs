//! The loops over integers: exact 64-bit sums, so their order does not matter. Each core takes the [`portable`] form of what it
//! has no kernel for.

use fixed::traits::FixedSigned;

#[cfg(has_short_multiply)]
pub use super::armv6m::chosen::*;
#[cfg(has_long_multiply)]
pub use super::armv7m::chosen::*;
#[cfg(not(any(has_long_multiply, has_short_multiply)))]
pub use super::portable::integers::*;
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
