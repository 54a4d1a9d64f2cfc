//! Rows (φ, V) and their multiples.

use fixed::types::I1F15;

use super::TARGET_BITS;
use super::rounding::{Inverse, MANTISSA, bit_length, round_shift, split};
use crate::arithmetic::RowError;
use crate::arithmetic::backend::Empty;
pub use crate::arithmetic::kernels::FixedRow;
use crate::arithmetic::kernels::{Aligned, integer};
use crate::state::{Persist, Reader, Writer};

impl<const N: usize> Empty for FixedRow<N> {
    const EMPTY: Self =
        Self { features: Aligned(Empty::EMPTY), target: 0, inverse_mantissa: 0, inverse_exponent: 0, exponent: 0 };
}

impl<const N: usize> Persist for FixedRow<N> {
    const BYTES: usize = Aligned::<N>::BYTES + i64::BYTES + u32::BYTES + u16::BYTES + i16::BYTES;

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
            let limit = 1 << FEATURE_BITS;
            *x = mantissa(i32::from(*x).clamp(-limit, limit));
        }
        let limit = 1 << TARGET_BITS;
        self.target = reader.get::<i64>().clamp(-limit, limit);
        self.inverse_mantissa = reader.get::<u32>().min(1 << MANTISSA);
        self.inverse_exponent = reader.get::<u16>().min(u64::BITS as u16 + 25);
        self.exponent = reader.get();
    }
}

/// The bits of the largest feature of a row.
pub(super) const FEATURE_BITS: u32 = 15;
/// How far a feature can be shifted to the left in a word.
pub(super) const FEATURE_ROOM: u32 = 16;

/// A feature of an encoded row. 2¹⁵ does not fit and saturates, and so does −2¹⁵, so that a row and its negative stay symmetric.
fn mantissa(x: i32) -> i16 {
    x.clamp(-i32::from(i16::MAX), i16::MAX.into()) as i16
}

/// The maximum number of features per row for the width of the accumulators.
const MAX_FEATURES: usize = 128;

impl<const N: usize> FixedRow<N> {
    pub(super) fn encode(&mut self, features: &[f32; N]) -> Result<(), RowError> {
        const { assert!(N <= MAX_FEATURES, "fixed-point rows have at most 128 features") };
        self.exponent = normalise(&mut self.features.0, features)?;
        self.finish();
        Ok(())
    }

    pub(super) fn encode_raw(&mut self, features: &[I1F15; N]) -> Result<(), RowError> {
        const { assert!(N <= MAX_FEATURES, "fixed-point rows have at most 128 features") };
        self.exponent = normalise_raw(&mut self.features.0, features)?;
        self.finish();
        Ok(())
    }

    /// Computes the fields that depend on the features.
    fn finish(&mut self) {
        let inverse = Inverse::of(integer::norm_squared(&self.features));
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
pub(super) fn normalise(integers: &mut [i16], features: &[f32]) -> Result<i16, RowError> {
    const FRACTION: u32 = f32::MANTISSA_DIGITS - 1;
    let largest = features.iter().fold(0, |most: u32, x| most.max(x.to_bits() & (u32::MAX >> 1)));
    if !f32::from_bits(largest).is_finite() {
        return Err(RowError::NonFiniteFeature);
    }
    if largest == 0 {
        return Err(RowError::ZeroFeatures);
    }
    let (mantissa, power) = split(f32::from_bits(largest));
    let exponent = power + bit_length(mantissa.unsigned_abs()) as i32;
    // By how much a mantissa at the top of a word but for the sign is shifted to the right, plus its biased exponent.
    let shift = exponent - FEATURE_BITS as i32 + 150 + 7;
    for (integer, &x) in integers.iter_mut().zip(features) {
        let bits = x.to_bits();
        let biased = (bits << 1) >> (FRACTION + 1);
        // Subnormal numbers have the exponent of the least normal ones, but no leading one.
        let word = ((bits << 8) | u32::from(biased != 0) << 31) >> 1;
        let by = shift - biased.max(1) as i32;
        let rounded = match by {
            // Less than a half.
            32.. => 0,
            1.. => {
                let floor = word >> by;
                floor + u32::from(word << (32 - by) > (1 << 31) - (floor & 1))
            }
            // A row of floats that are almost 0.
            _ => word << by.unsigned_abs(),
        };
        let sign = bits.cast_signed() >> 31;
        *integer = ((rounded.min(i16::MAX as u32).cast_signed() ^ sign) - sign) as i16;
    }
    Ok(exponent as i16)
}

/// The same for integers with the common exponent 0.
#[inline(never)]
pub(super) fn normalise_raw(integers: &mut [i16], features: &[I1F15]) -> Result<i16, RowError> {
    let magnitudes = features.iter().fold(0, |all, raw| all | i32::from(raw.to_bits()).unsigned_abs());
    if magnitudes == 0 {
        return Err(RowError::ZeroFeatures);
    }
    let shift = FEATURE_BITS as i32 - (u32::BITS - magnitudes.leading_zeros()) as i32;
    let by = shift.unsigned_abs();
    if shift >= 0 {
        integers.iter_mut().zip(features).for_each(|(integer, raw)| *integer = raw.to_bits() << by);
    } else {
        for (integer, raw) in integers.iter_mut().zip(features) {
            *integer = mantissa(round_shift(raw.to_bits().into(), by) as i32);
        }
    }
    Ok(-shift as i16)
}
