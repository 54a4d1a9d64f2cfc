//! Rows (φ, V) of floats.

use super::real::Real;
use crate::arithmetic::RowError;
use crate::arithmetic::backend::Empty;
use crate::state::{Persist, Reader, Writer};

/// A row (φ, V) of floats, scaled so that its largest feature lies in [1, 2).
// The layout is that which the kernels expect.
#[derive(Debug, PartialEq)]
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

/// Once per sample of a tracking learner.
impl<T: Real, const N: usize> Clone for Row<T, N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self { features: T::copied(&self.features), ..*self }
    }
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

/// [`Backend::encode`](crate::arithmetic::backend::Backend::encode) for floats of this format.
pub(super) fn encode<T: Real, const N: usize>(row: &mut Row<T, N>, features: &[T; N]) -> Result<(), RowError> {
    row.exponent = T::largest(features).row_exponent()?;
    T::scale_into(&mut row.features, features, -i32::from(row.exponent));
    row.target = T::ZERO;
    row.norm_squared = T::norm_squared(&row.features);
    Ok(())
}
