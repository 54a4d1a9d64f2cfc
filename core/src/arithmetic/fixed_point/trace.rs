//! The trace of a streaming learner.

use super::super::integer::{bit_length, round_shift, scale, scale_clipped};
use super::{FixedRow, FixedSum, RowInteger, split};
use fixed::types::I32F32;

/// Fraction bits of a trace: it reaches ±512, enough for 1/(1 − γ) = 256 visits of features that are near 1.
const TRACE_FRACTION: i32 = 22;

/// The discounted sum of φ/‖φ‖², with 22 fraction bits.
///
/// ```
/// use osculate::arithmetic::{Features, FixedTrace};
/// use osculate::{Arithmetic, Q28};
/// let mut trace = FixedTrace::<1>::default();
/// Q28::enter(&mut trace, &Q28::admit(&Features::new([1], 0)).unwrap());
/// assert_ne!(trace, FixedTrace::default());
/// Q28::decay(&mut trace, 0.0);
/// assert_eq!(trace, FixedTrace::default());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FixedTrace<const N: usize> {
    values: [i32; N],
    pub(super) saturated: u32,
}

impl<const N: usize> Default for FixedTrace<N> {
    fn default() -> Self {
        Self { values: [0; N], saturated: 0 }
    }
}

impl<const N: usize> FixedTrace<N> {
    pub(super) fn decay(&mut self, gamma: f32) {
        // Nothing is to shrink, not even by the one unit that `decayed` insists on.
        if gamma == 1.0 {
            return;
        }
        let gamma = split(gamma);
        self.values = self.values.map(|z| decayed(z, gamma) as i32);
    }

    pub(super) fn enter<R: RowInteger>(&mut self, row: &FixedRow<R, N>) {
        let unit = R::BITS_USED as i32 - i32::from(row.exponent) + TRACE_FRACTION;
        let inverse = row.inverse();
        for (z, &x) in self.values.iter_mut().zip(&row.features.0) {
            let entry = inverse.share(x.into(), unit);
            let next = scale_clipped(i64::from(*z) + i64::from(entry.value), 0);
            self.saturated = self.saturated.saturating_add(u32::from(entry.saturated || next.saturated));
            *z = next.value;
        }
    }

    pub(super) fn credit(&self, sum: &mut FixedSum<N>, reward: I32F32) {
        let reward = reward.to_bits();
        // 31 bits of the reward and 31 of the trace fit a product.
        let drop = bit_length(reward.unsigned_abs()).saturating_sub(31);
        let reward = round_shift(reward, drop);
        let unit = drop as i32 - I32F32::FRAC_NBITS as i32 - TRACE_FRACTION - sum.unit;
        for (sum_value, &z) in sum.values.iter_mut().zip(&self.values) {
            let next = scale(reward * i64::from(z), unit).and_then(|credit| sum_value.checked_sub(credit));
            match next {
                Some(next) => *sum_value = next,
                None => sum.saturated = sum.saturated.saturating_add(1),
            }
        }
    }
}

/// β · velocity, to nearest; and never all of it, since β < 1: rounding would keep a small velocity alive for ever.
#[inline]
pub(super) fn decayed(velocity: i32, (beta, power): (i64, i32)) -> i64 {
    let velocity = i64::from(velocity);
    let rounded = round_shift(velocity * beta, power.unsigned_abs());
    if rounded == velocity { velocity - velocity.signum() } else { rounded }
}
