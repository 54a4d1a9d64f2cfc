//! The trace of a streaming learner.

use fixed::types::I32F32;

use super::momentum::decay;
use super::rounding::{Clipped, WordShift, bit_length, round_shift, scale, scale_clipped, split};
use super::row::{FEATURE_BITS, FEATURE_ROOM};
use super::{FixedRow, FixedSum};
use crate::arithmetic::backend::Empty;
use crate::state::persist;

/// Fraction bits of a trace: its range is ±512, enough for 1/(1 − γ) = 256 visits with features near 1.
const TRACE_FRACTION: i32 = 22;

/// Rewards saturate a sum here: the residuals of all rows of an episode stay below 2⁶², so they still fit on top of it.
pub(super) const REWARD_LIMIT: i64 = 1 << 62;

/// The discounted sum of φ/‖φ‖², with 22 fraction bits.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedTrace<const N: usize> {
    values: [i32; N],
    pub(crate) saturated: u32,
}

impl<const N: usize> Empty for FixedTrace<N> {
    const EMPTY: Self = Self { values: [0; N], saturated: 0 };
}

persist!(FixedTrace<N>: values: [i32; N], saturated: u32);

impl<const N: usize> FixedTrace<N> {
    pub(super) fn decay(&mut self, gamma: f32) {
        // γ = 1: skip `decayed`, which always moves at least one unit towards 0.
        if gamma == 1.0 {
            return;
        }
        decay(&mut self.values, split(gamma));
    }

    pub(super) fn add(&mut self, row: &FixedRow<N>) {
        let unit = FEATURE_BITS as i32 - i32::from(row.exponent) + TRACE_FRACTION;
        let inverse = row.inverse();
        let factor = (inverse.mantissa, unit - i32::from(inverse.exponent));
        let clipped = add(&mut self.values, &row.features.0, factor);
        self.saturated = self.saturated.saturating_add(clipped);
    }

    /// Subtracts reward · trace from a sum in units of 2^sum_unit.
    pub(super) fn reward(&self, sum: &mut FixedSum<N>, sum_unit: i32, reward: I32F32) {
        let reward = reward.to_bits();
        // 31 bits of the reward and 31 of the trace fit a product.
        let drop = bit_length(reward.unsigned_abs()).saturating_sub(31);
        // Rounded up, it may have one bit more: that is the only case in which it has to be split.
        let (reward, drop) = match i32::try_from(round_shift(reward, drop)) {
            Ok(reward) => (reward, drop),
            Err(_) => (1 << 30, drop + 1),
        };
        let unit = drop as i32 - I32F32::FRAC_NBITS as i32 - TRACE_FRACTION - sum_unit;
        let clipped = subtract(&mut sum.values, &self.values, reward, unit);
        sum.saturated = sum.saturated.saturating_add(clipped);
    }
}

/// Saturates all sums at the limit of rewards. Returns how many did.
#[inline(never)]
pub(super) fn limit_all(sums: &mut [i64]) -> u32 {
    sums.iter_mut().map(|sum| u32::from(limit(sum, *sum))).sum()
}

// Compiled once for all sizes: unrolled they would take kilobytes.

/// trace ← trace + φ · factor · 2^power. Returns how many entries saturated.
#[inline(never)]
fn add(trace: &mut [i32], features: &[i16], (factor, power): (u32, i32)) -> u32 {
    // Neither factor uses the upper bits of its word.
    let shift = WordShift::new(i64::from(factor) << FACTOR_ROOM, power - (FACTOR_ROOM + FEATURE_ROOM) as i32);
    let mut saturated = 0;
    for (z, &x) in trace.iter_mut().zip(features) {
        let x = i32::from(x);
        match shift.and_then(|shift| z.checked_add(shift.times(x << FEATURE_ROOM))) {
            Some(next) => *z = next,
            None => saturated += u32::from(add_far(z, i64::from(x) * i64::from(factor), power)),
        }
    }
    saturated
}

/// The inverse of ‖φ‖² has a mantissa of 26 bits, or 2²⁶.
const FACTOR_ROOM: u32 = 4;

/// z ← z + x · 2^power for any size. Returns whether it saturated.
#[inline(never)]
fn add_far(z: &mut i32, x: i64, power: i32) -> bool {
    let entry = scale_clipped(x, power);
    let next = Clipped::new(i64::from(*z) + i64::from(entry.value));
    *z = next.value;
    entry.saturated || next.saturated
}

#[inline(never)]
fn subtract(sum: &mut [i64], trace: &[i32], reward: i32, unit: i32) -> u32 {
    let mut saturated = 0;
    for (sum, &z) in sum.iter_mut().zip(trace) {
        let product = i64::from(reward) * i64::from(z);
        // After a right shift, a product is below 2⁶² and the difference fits. The common case has no 64-bit shift or
        // comparison.
        if (-31..0).contains(&unit) {
            let (upper, lower, by) = ((product >> 32) as i32, product as u32, unit.unsigned_abs());
            let floor = (upper.cast_unsigned() << (32 - by)) | (lower >> by);
            let up = lower << (32 - by) > (1 << 31) - (floor & 1);
            let next = *sum - (i64::from(upper >> by) << 32 | i64::from(floor)) - i64::from(up);
            if (-1 << 30..1 << 30).contains(&((next >> 32) as i32)) {
                *sum = next;
                continue;
            }
        }
        saturated += u32::from(subtract_far(sum, product, unit));
    }
    saturated
}

/// sum ← sum − product · 2^unit for any size, limited. Returns whether it saturated.
#[inline(never)]
fn subtract_far(sum: &mut i64, product: i64, unit: i32) -> bool {
    let scaled = scale(product, unit);
    let wanted = sum.saturating_sub(scaled);
    limit(sum, wanted) || matches!(scaled, i64::MIN | i64::MAX)
}

/// sum ← wanted, clamped to the limit of rewards. Returns whether it saturated.
#[inline]
fn limit(sum: &mut i64, wanted: i64) -> bool {
    *sum = wanted.clamp(-REWARD_LIMIT, REWARD_LIMIT);
    *sum != wanted
}
