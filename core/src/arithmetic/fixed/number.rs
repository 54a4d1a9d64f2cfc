//! Numbers: rewards, targets and values. Compiled once for all formats.

use fixed::types::I32F32;

use super::rounding::{float, scale, split};
use crate::arithmetic::RowError;

const FRACTION: i32 = I32F32::FRAC_NBITS as i32;

/// The nearest number.
#[inline(never)]
pub(super) fn from_float(value: f32) -> Result<I32F32, RowError> {
    // The least number has a magnitude that no other number has.
    const LEAST: f32 = -2_147_483_648.0;
    if value.abs().to_bits() >= LEAST.abs().to_bits() && value.to_bits() != LEAST.to_bits() {
        return Err(if value.is_finite() { RowError::TargetOutOfRange } else { RowError::NonFiniteTarget });
    }
    let (mantissa, power) = split(value);
    Ok(I32F32::from_bits(scale(mantissa, power + FRACTION)))
}

/// The nearest float.
#[inline(never)]
pub(super) fn to_float(number: I32F32) -> f32 {
    float(number.to_bits(), -FRACTION)
}
