//! Rows (φ, V) of floats.

use super::backend::{Empty, Value};
use super::error::RowError;
use super::real::Real;
use crate::state::{Persist, Reader, Writer};

/// A row (φ, V) of floats, scaled so that its largest feature lies in [1, 2).
// The layout is that which the kernels expect.
#[derive(Clone, Debug, PartialEq)]
#[repr(C)]
pub struct Row<T, const N: usize> {
    /// φ.
    pub features: [T; N],
    /// V.
    pub target: T,
    /// ‖φ‖².
    pub norm_squared: T,
    /// The original row is 2^exponent times this one.
    pub exponent: i16,
}

impl<T: Empty, const N: usize> Empty for Row<T, N> {
    const EMPTY: Self = Self { features: Empty::EMPTY, target: T::EMPTY, norm_squared: T::EMPTY, exponent: 0 };
}

impl<T, const N: usize> Row<T, N> {
    /// The original row is 2^exponent times this one.
    pub(crate) fn exponent(&self) -> i32 {
        self.exponent.into()
    }
}

impl<T: Real, const N: usize> Persist for Row<T, N> {
    const BYTES: usize = <[T; N]>::BYTES + 2 * T::BYTES + i16::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        self.features.write(writer);
        self.target.write(writer);
        self.norm_squared.write(writer);
        self.exponent.write(writer);
    }

    /// Features that no row has are replaced by 0, so that a small step is small whatever the bytes contain.
    fn read(&mut self, reader: &mut Reader<'_>) {
        self.features.read(reader);
        let limit = T::ONE.scaled(1);
        for x in &mut self.features {
            *x = if T::larger_magnitude(*x, T::ZERO) < limit { *x } else { T::ZERO };
        }
        self.target.read(reader);
        self.norm_squared.read(reader);
        self.exponent.read(reader);
    }
}

/// The exponent of the largest feature of a row.
#[inline(always)]
pub(super) fn exponent_of<T: Real, const N: usize>(features: &[T; N]) -> Result<i16, RowError> {
    T::largest(features).row_exponent()
}

/// [`Backend::replace`](super::backend::Backend::replace) for floats.
#[inline(always)]
pub(super) fn replace<T: Real, const N: usize>(
    row: &mut Row<T, N>,
    features: &[T; N],
    before: impl FnOnce(&mut Row<T, N>, Value<'_, T, N>),
) -> Result<(), RowError> {
    let exponent = exponent_of(features)?;
    let features = T::scaled_all(features, -i32::from(exponent));
    let mut norm_squared = None;
    before(row, &mut |weights| {
        let product = if norm_squared.is_none() {
            // Two products with a common factor.
            let [square, product] = T::dot_pair([&features, weights], &features);
            norm_squared = Some(square);
            product
        } else {
            T::dot(&features, weights)
        };
        product.scaled_here(exponent.into())
    });
    T::copy(&mut row.features, &features);
    row.target = T::ZERO;
    row.norm_squared = norm_squared.unwrap_or_else(|| T::norm_squared(&features));
    row.exponent = exponent;
    Ok(())
}
