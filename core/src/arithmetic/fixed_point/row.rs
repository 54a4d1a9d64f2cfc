//! Rows (φ, V) and their multiples.

use super::row_integer::split;
use super::{RowInteger, TARGET_BITS};
use crate::arithmetic::RowError;
use crate::arithmetic::backend::Empty;
use crate::arithmetic::integer::{Clipped, Inverse, MANTISSA, bit_length, scale_clipped};
use crate::arithmetic::kernels::Aligned;
use crate::state::{Persist, Reader, Writer};

/// A row (φ, V), scaled so that its largest feature uses all bits: 16 bytes plus the features.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedRow<R, const N: usize> {
    pub(super) features: Aligned<R, N>,
    /// V, in units of φ·w.
    pub(super) target: i64,
    // 1/‖φ‖². Not an `Inverse`, whose padding would cost four bytes.
    inverse_mantissa: u32,
    inverse_exponent: u16,
    /// The original row is 2^exponent times this one.
    pub(super) exponent: i16,
}

impl<R: Empty, const N: usize> Empty for FixedRow<R, N> {
    const EMPTY: Self =
        Self { features: Aligned(Empty::EMPTY), target: 0, inverse_mantissa: 0, inverse_exponent: 0, exponent: 0 };
}

impl<R: RowInteger, const N: usize> Persist for FixedRow<R, N> {
    const BYTES: usize = Aligned::<R, N>::BYTES + i64::BYTES + u32::BYTES + u16::BYTES + i16::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        self.features.write(writer);
        self.target.write(writer);
        self.inverse_mantissa.write(writer);
        self.inverse_exponent.write(writer);
        self.exponent.write(writer);
    }

    /// Invalid values are clamped to the range of a real row, so that sums cannot overflow whatever the bytes contain.
    fn read(&mut self, reader: &mut Reader<'_>) {
        self.features.read(reader);
        for x in &mut self.features.0 {
            let limit = 1 << R::BITS_USED;
            *x = R::from_mantissa((*x).into().clamp(-limit, limit));
        }
        let limit = 1 << TARGET_BITS;
        self.target = reader.get::<i64>().clamp(-limit, limit);
        self.inverse_mantissa = reader.get::<u32>().min(1 << MANTISSA);
        self.inverse_exponent = reader.get::<u16>().min(u64::BITS as u16 + 25);
        self.exponent = reader.get();
    }
}

/// The maximum number of features per row for the width of the accumulators.
const MAX_FEATURES: usize = 128;

impl<R: RowInteger, const N: usize> FixedRow<R, N> {
    pub(super) fn encode(&mut self, features: &[f32; N]) -> Result<(), RowError> {
        const { assert!(N <= MAX_FEATURES, "fixed-point rows have at most 128 features") };
        self.exponent = normalise(&mut self.features.0, features)?;
        self.finish();
        Ok(())
    }

    pub(super) fn encode_raw(&mut self, features: &[R::Raw; N]) -> Result<(), RowError> {
        const { assert!(N <= MAX_FEATURES, "fixed-point rows have at most 128 features") };
        self.exponent = normalise_raw(&mut self.features.0, features)?;
        self.finish();
        Ok(())
    }

    /// Computes the fields that depend on the features.
    fn finish(&mut self) {
        let inverse = Inverse::of(R::norm_squared(&self.features));
        (self.inverse_mantissa, self.inverse_exponent) = (inverse.mantissa, inverse.exponent);
        self.target = 0;
    }

    pub(super) fn inverse(&self) -> Inverse {
        Inverse { mantissa: self.inverse_mantissa, exponent: self.inverse_exponent }
    }
}

/// The nearest integers to these floats, scaled so that the largest one uses all bits, and their common exponent. On
/// failure nothing is written.
#[inline(never)]
pub(super) fn normalise<R: RowInteger>(integers: &mut [R], features: &[f32]) -> Result<i16, RowError> {
    let largest = features.iter().fold(0, |most: u32, x| most.max(x.to_bits() & (u32::MAX >> 1)));
    if !f32::from_bits(largest).is_finite() {
        return Err(RowError::NonFiniteFeature);
    }
    if largest == 0 {
        return Err(RowError::ZeroFeatures);
    }
    let (mantissa, power) = split(f32::from_bits(largest));
    let exponent = power + bit_length(mantissa.unsigned_abs()) as i32;
    for (integer, &x) in integers.iter_mut().zip(features) {
        let (mantissa, power) = split(x);
        *integer = R::from_mantissa(scale_clipped(mantissa, power - exponent + R::BITS_USED as i32).value);
    }
    Ok(exponent as i16)
}

/// The same for integers with the common exponent 0 and at most 31 bits.
#[inline(never)]
fn normalise_raw<R: RowInteger>(integers: &mut [R], features: &[R::Raw]) -> Result<i16, RowError> {
    let wide = |raw: &R::Raw| Into::<i32>::into(R::from_raw(*raw));
    let largest = features.iter().map(|raw| wide(raw).unsigned_abs()).max().unwrap_or(0);
    if largest == 0 {
        return Err(RowError::ZeroFeatures);
    }
    let shift = R::BITS_USED as i32 - bit_length(largest.into()) as i32;
    for (integer, raw) in integers.iter_mut().zip(features) {
        *integer = if shift >= 0 {
            R::from_raw(*raw) << shift.unsigned_abs()
        } else {
            R::from_mantissa(scale_clipped(wide(raw).into(), shift).value)
        };
    }
    Ok(-shift as i16)
}

/// (φ·w − V)/‖φ‖² in 32 bits, and whether it saturated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedQuotient(pub(super) Clipped);
