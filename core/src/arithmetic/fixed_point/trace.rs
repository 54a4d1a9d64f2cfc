//! The trace of a streaming learner.

use fixed::types::I32F32;

use super::momentum::decayed;
use super::row_integer::split;
use super::{FixedRow, FixedSum, RowInteger};
use crate::arithmetic::backend::Empty;
use crate::arithmetic::integer::{Inverse, bit_length, round_shift, scale, scale_clipped};
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
        let gamma = split(gamma);
        decay(&mut self.values, gamma);
    }

    pub(super) fn add<R: RowInteger>(&mut self, row: &FixedRow<R, N>) {
        let unit = R::BITS_USED as i32 - i32::from(row.exponent) + TRACE_FRACTION;
        let clipped = add(&mut self.values, &row.features.0, row.inverse(), unit);
        self.saturated = self.saturated.saturating_add(clipped);
    }

    /// Subtracts reward · trace from a sum in units of 2^sum_unit.
    pub(super) fn reward(&self, sum: &mut FixedSum<N>, sum_unit: i32, reward: I32F32) {
        let reward = reward.to_bits();
        // 31 bits of the reward and 31 of the trace fit a product.
        let drop = bit_length(reward.unsigned_abs()).saturating_sub(31);
        let reward = round_shift(reward, drop);
        let unit = drop as i32 - I32F32::FRAC_NBITS as i32 - TRACE_FRACTION - sum_unit;
        let clipped = subtract(&mut sum.values, &self.values, reward, unit);
        sum.saturated = sum.saturated.saturating_add(clipped);
    }
}

/// Saturates a sum at the limit of rewards, so that the next one fits.
pub(super) fn leave_room<const N: usize>(sum: &mut FixedSum<N>) {
    let saturated = sum.values.iter_mut().map(|sum| u32::from(limit(sum, *sum))).sum();
    sum.saturated = sum.saturated.saturating_add(saturated);
}

// Compiled once for all sizes: unrolled they would take kilobytes.

#[inline(never)]
fn decay(values: &mut [i32], gamma: (i64, i32)) {
    values.iter_mut().for_each(|z| *z = decayed(*z, gamma) as i32);
}

#[inline(never)]
fn add<R: RowInteger>(values: &mut [i32], features: &[R], inverse: Inverse, unit: i32) -> u32 {
    let mut saturated = 0;
    for (z, &x) in values.iter_mut().zip(features) {
        let entry = inverse.quotient_of(x.into(), unit);
        let next = scale_clipped(i64::from(*z) + i64::from(entry.value), 0);
        saturated += u32::from(entry.saturated || next.saturated);
        *z = next.value;
    }
    saturated
}

#[inline(never)]
fn subtract(sum: &mut [i64], trace: &[i32], reward: i64, unit: i32) -> u32 {
    let mut saturated = 0;
    for (sum, &z) in sum.iter_mut().zip(trace) {
        let product = reward * i64::from(z);
        // After a right shift, a product is below 2⁶² and the difference fits. The common case has no 64-bit
        // comparison.
        if unit < 0 {
            *sum -= round_shift(product, unit.unsigned_abs());
            if (-1 << 30..1 << 30).contains(&((*sum >> 32) as i32)) {
                continue;
            }
            saturated += u32::from(limit(sum, *sum));
        } else {
            let scaled = scale(product, unit);
            let wanted = sum.saturating_sub(scaled.unwrap_or(if product < 0 { i64::MIN } else { i64::MAX }));
            saturated += u32::from(limit(sum, wanted) || scaled.is_none());
        }
    }
    saturated
}

/// sum ← wanted, clamped to the limit of rewards. Returns whether it saturated.
#[inline]
fn limit(sum: &mut i64, wanted: i64) -> bool {
    *sum = wanted.clamp(-REWARD_LIMIT, REWARD_LIMIT);
    *sum != wanted
}
