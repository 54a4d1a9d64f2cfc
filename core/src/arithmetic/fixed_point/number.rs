//! Numbers: rewards, targets and values. Compiled once for all formats.

use fixed::types::I32F32;

use super::row_integer::split;
use crate::arithmetic::RowError;
use crate::arithmetic::integer::scale;
use crate::arithmetic::scalar::Scalar;

const FRACTION: i32 = I32F32::FRAC_NBITS as i32;

/// The nearest number.
#[inline(never)]
pub(super) fn from_float(value: f32) -> Result<I32F32, RowError> {
    if !value.is_finite() {
        return Err(RowError::NonFiniteTarget);
    }
    let (mantissa, power) = split(value);
    // As almost always: 24 bits have that much room, and none is lost.
    if let by @ 0..=38 = power + FRACTION {
        return Ok(I32F32::from_bits(mantissa << by));
    }
    match scale(mantissa, power + FRACTION) {
        Some(bits) => Ok(I32F32::from_bits(bits)),
        // The only value whose magnitude does not fit although the value itself does.
        None if value == -2_147_483_648.0 => Ok(I32F32::MIN),
        None => Err(RowError::TargetOutOfRange),
    }
}

/// product · 2^`unit` of the last bit, saturated.
#[inline(never)]
pub(super) fn from_product(product: i64, unit: i32) -> I32F32 {
    let limit = if product < 0 { I32F32::MIN } else { I32F32::MAX };
    scale(product, unit).map_or(limit, I32F32::from_bits)
}

/// The nearest float.
#[inline(never)]
pub(super) fn to_float(number: I32F32) -> f32 {
    (number.to_bits() as f32).scaled(-FRACTION)
}
