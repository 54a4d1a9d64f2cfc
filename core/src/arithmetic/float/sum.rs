//! Sums of rows are plain vectors; this is what they are normalised to.

use super::real::Real;
use crate::arithmetic::backend::{Empty, Overflow};
use crate::state::persist;

/// A vector 2^exponent · mantissas of floats; the largest mantissa lies in [1, 2), or all are zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction<T, const N: usize> {
    pub(super) mantissas: [T; N],
    pub(super) exponent: i32,
}

impl<T: Empty, const N: usize> Empty for Direction<T, N> {
    const EMPTY: Self = Self { mantissas: Empty::EMPTY, exponent: 0 };
}

persist!(Direction<T, N>: mantissas: [T; N], exponent: i32);

/// The exponent of the largest element; 0 if all are zero.
#[inline(always)]
pub(super) fn common_exponent<T: Real, const N: usize>(vector: &[T; N]) -> Result<i32, Overflow> {
    let largest = T::largest(vector);
    if !largest.is_finite() {
        return Err(Overflow);
    }
    Ok(if largest == T::ZERO { 0 } else { largest.exponent() })
}

/// The elements scaled so that the largest lies in [1, 2), unless all are zero. Returns the exponent.
#[inline(always)]
pub(super) fn normalise_in_place<T: Real, const N: usize>(vector: &mut [T; N]) -> Result<i32, Overflow> {
    let exponent = common_exponent(vector)?;
    if exponent != 0 {
        T::scale_in_place(vector, -exponent);
    }
    Ok(exponent)
}
