//! The trace of a streaming learner.

use super::super::integer::{Inverse, bit_length, round_shift, scale, scale_clipped};
use super::momentum::decayed;
use super::{FixedRow, FixedSum, RowInteger, split};
use fixed::types::I32F32;

/// Fraction bits of a trace: it reaches ±512, enough for 1/(1 − γ) = 256 visits of features that are near 1.
const TRACE_FRACTION: i32 = 22;

/// Credits saturate a sum here: the residuals of all rows of an episode stay below 2⁶², so there is room for them beside it.
const CREDIT_LIMIT: i64 = 1 << 62;

/// The discounted sum of φ/‖φ‖², with 22 fraction bits.
///
/// ```
/// use osculate::arithmetic::FixedTrace;
/// use osculate::{Arithmetic, Q28};
/// let mut trace = FixedTrace::<1>::default();
/// Q28::enter(&mut trace, &Q28::admit(&Q28::features(&[1.0]).unwrap()).unwrap());
/// assert_ne!(trace, FixedTrace::default());
/// Q28::decay(&mut trace, 0.0);
/// assert_eq!(trace, FixedTrace::default());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FixedTrace<const N: usize> {
    values: [i32; N],
    pub(crate) saturated: u32,
}

impl<const N: usize> Default for FixedTrace<N> {
    fn default() -> Self {
        Self { values: [0; N], saturated: 0 }
    }
}

impl<const N: usize> FixedTrace<N> {
    pub(super) fn decay(&mut self, gamma: f32) {
        // γ = 1: skip `decayed`, which always moves at least one unit towards 0.
        if gamma == 1.0 {
            return;
        }
        let gamma = split(gamma);
        decay(&mut self.values, gamma);
    }

    pub(super) fn enter<R: RowInteger>(&mut self, row: &FixedRow<R, N>) {
        let unit = R::BITS_USED as i32 - i32::from(row.exponent) + TRACE_FRACTION;
        let clipped = enter(&mut self.values, &row.features.0, row.inverse(), unit);
        self.saturated = self.saturated.saturating_add(clipped);
    }

    pub(super) fn credit(&self, sum: &mut FixedSum<N>, reward: I32F32) {
        let reward = reward.to_bits();
        // 31 bits of the reward and 31 of the trace fit a product.
        let drop = bit_length(reward.unsigned_abs()).saturating_sub(31);
        let reward = round_shift(reward, drop);
        let unit = drop as i32 - I32F32::FRAC_NBITS as i32 - TRACE_FRACTION - sum.unit;
        let clipped = credit(&mut sum.values, &self.values, reward, unit);
        sum.saturated = sum.saturated.saturating_add(clipped);
    }
}

// Compiled once for all sizes: unrolled for each they would take kilobytes.

#[inline(never)]
fn decay(values: &mut [i32], gamma: (i64, i32)) {
    values.iter_mut().for_each(|z| *z = decayed(*z, gamma) as i32);
}

#[inline(never)]
fn enter<R: RowInteger>(values: &mut [i32], features: &[R], inverse: Inverse, unit: i32) -> u32 {
    let mut saturated = 0;
    for (z, &x) in values.iter_mut().zip(features) {
        let entry = inverse.share(x.into(), unit);
        let next = scale_clipped(i64::from(*z) + i64::from(entry.value), 0);
        saturated += u32::from(entry.saturated || next.saturated);
        *z = next.value;
    }
    saturated
}

#[inline(never)]
fn credit(sum: &mut [i64], trace: &[i32], reward: i64, unit: i32) -> u32 {
    let mut saturated = 0;
    for (sum, &z) in sum.iter_mut().zip(trace) {
        let product = reward * i64::from(z);
        // Shifted right, a credit is below 2⁶², and the difference fits. The usual case has no comparison of 64 bits.
        if unit < 0 {
            *sum -= round_shift(product, unit.unsigned_abs());
            if (-1 << 30..1 << 30).contains(&((*sum >> 32) as i32)) {
                continue;
            }
            saturated += u32::from(limit(sum, *sum));
        } else {
            let credit = scale(product, unit);
            let wanted = sum.saturating_sub(credit.unwrap_or(if product < 0 { i64::MIN } else { i64::MAX }));
            saturated += u32::from(limit(sum, wanted) || credit.is_none());
        }
    }
    saturated
}

/// sum ← wanted, within the limit of credits; whether it was beyond.
#[inline]
fn limit(sum: &mut i64, wanted: i64) -> bool {
    *sum = wanted.clamp(-CREDIT_LIMIT, CREDIT_LIMIT);
    *sum != wanted
}
