//! The step with momentum, and the average. Compiled once for all sizes and formats, like everything that runs once per
//! update.

use crate::arithmetic::integer::{Clipped, FloatShift, round_shift_called, scale_clipped};
use crate::arithmetic::kernels::vectors;

/// velocity ← beta · velocity − gain · direction, weights ← weights + velocity. Returns how many weights saturated.
#[inline(never)]
pub(super) fn step(
    mut weights: &mut [i32],
    mut velocity: &mut [i32],
    mut direction: &[i32],
    gain: (i64, i32),
    beta: (i64, i32),
) -> u32 {
    decay(velocity, beta);
    let shift = FloatShift::new(gain);
    let mut saturated = 0;
    loop {
        let left = shift.map_or(weights.len(), |shift| vectors::step(weights, velocity, direction, &shift));
        let (Some((w, next)), Some((v, next_velocity)), Some((g, next_direction))) =
            (last_mut(weights, left), last_mut(velocity, left), last(direction, left))
        else {
            return saturated;
        };
        saturated += u32::from(step_far(w, v, *g, gain));
        (weights, velocity, direction) = (next, next_velocity, next_direction);
    }
}

/// The first of the last `left` elements, and the rest of them.
fn last_mut(values: &mut [i32], left: usize) -> Option<(&mut i32, &mut [i32])> {
    let done = values.len().saturating_sub(left);
    values.get_mut(done..)?.split_first_mut()
}

/// The same, to be read only.
fn last(values: &[i32], left: usize) -> Option<(&i32, &[i32])> {
    values.get(values.len().saturating_sub(left)..)?.split_first()
}

/// The step of one weight, of any size, with its velocity already decayed. Returns whether it saturated.
#[inline(never)]
fn step_far(w: &mut i32, velocity: &mut i32, g: i32, (gain, power): (i64, i32)) -> bool {
    let change = scale_clipped(gain * i64::from(g), power);
    let next_velocity = i64::from(*velocity) - i64::from(change.value);
    let next = Clipped::new(i64::from(*w) + next_velocity);
    // The actual step, after saturation: a weight at its limit has no momentum beyond it.
    let way = i64::from(next.value) - i64::from(*w);
    *velocity = Clipped::new(way).value;
    *w = next.value;
    change.saturated || next.saturated
}

/// mean ← mean + gain · (weights − mean).
#[inline(never)]
pub(super) fn average(mut mean: &mut [i32], mut weights: &[i32], gain: (i64, i32)) {
    let shift = FloatShift::new(gain);
    loop {
        let left = shift.map_or(mean.len(), |shift| vectors::average(mean, weights, &shift));
        let (Some((m, next)), Some((w, next_weights))) = (last_mut(mean, left), last(weights, left)) else {
            return;
        };
        // The result lies between the two, so it fits.
        *m = m.wrapping_add(far(i64::from(*w) - i64::from(*m), gain));
        (mean, weights) = (next, next_weights);
    }
}

/// factor · x · 2^power for a factor of at most 1, modulo 2³².
#[inline(never)]
fn far(x: i64, (factor, power): (i64, i32)) -> i32 {
    round_shift_called(factor * x, power.unsigned_abs()) as i32
}

/// Multiplies all values by a factor in [0, 1), rounded to nearest. Values other than 0 always shrink: rounding alone
/// could keep a small one forever.
#[inline(never)]
pub(super) fn decay(mut values: &mut [i32], factor: (i64, i32)) {
    let shift = FloatShift::new(factor);
    loop {
        let left = shift.map_or(values.len(), |shift| vectors::decay(values, &shift));
        let Some((value, next)) = last_mut(values, left) else { return };
        let rounded = far(i64::from(*value), factor);
        *value = if rounded == *value { rounded - rounded.signum() } else { rounded };
        values = next;
    }
}
