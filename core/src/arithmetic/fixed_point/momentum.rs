//! The step with momentum, and the average. Compiled once for all sizes, like everything that runs once per update.

use fixed::traits::FixedSigned;

use crate::arithmetic::integer::{round_shift, scale_clipped};

/// velocity ← beta · velocity − gain · direction, weights ← weights + velocity. Returns how many weights saturated.
#[inline(never)]
pub(super) fn step<W: FixedSigned<Bits = i32>>(
    weights: &mut [W],
    velocity: &mut [W],
    direction: &[i32],
    (gain, gain_power): (i64, i32),
    beta: (i64, i32),
) -> u32 {
    let mut saturated = 0;
    for ((w, velocity), &g) in weights.iter_mut().zip(velocity).zip(direction) {
        let change = scale_clipped(gain * i64::from(g), gain_power);
        let next_velocity = decayed(velocity.to_bits(), beta) - i64::from(change.value);
        let next = scale_clipped(i64::from(w.to_bits()) + next_velocity, 0);
        saturated += u32::from(change.saturated || next.saturated);
        // The actual step, after saturation: a weight at its limit has no momentum beyond it.
        let way = i64::from(next.value) - i64::from(w.to_bits());
        *velocity = W::from_bits(way.clamp(i32::MIN.into(), i32::MAX.into()) as i32);
        *w = W::from_bits(next.value);
    }
    saturated
}

/// mean ← mean + gain · (weights − mean).
#[inline(never)]
pub(super) fn average<W: FixedSigned<Bits = i32>>(mean: &mut [W], weights: &[W], (gain, power): (i64, i32)) {
    for (mean, w) in mean.iter_mut().zip(weights) {
        let from = i64::from(mean.to_bits());
        // A gain of at most 1 shifts to the right.
        let way = round_shift(gain * (i64::from(w.to_bits()) - from), power.unsigned_abs());
        // The result lies between the two, so it fits.
        *mean = W::from_bits((from + way) as i32);
    }
}

/// β · velocity, rounded to nearest. A non-zero velocity always shrinks, since β < 1: rounding alone could keep a small
/// one forever.
#[inline]
pub(super) fn decayed(velocity: i32, (beta, power): (i64, i32)) -> i64 {
    let velocity = i64::from(velocity);
    let rounded = round_shift(velocity * beta, power.unsigned_abs());
    if rounded == velocity { velocity - velocity.signum() } else { rounded }
}
