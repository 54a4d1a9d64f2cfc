//! The step with momentum, and the average. Compiled once for all sizes and formats, like everything that runs once per
//! update.

use super::rounding::{Clipped, FloatShift, scale, scale_clipped};
use crate::arithmetic::kernels::integer;

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
        let left = shift.map_or(weights.len(), |shift| integer::step(weights, velocity, direction, &shift));
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

/// mean ← mean + gain · (weights − mean), rounded to even, for a gain in [0, 1].
#[inline(never)]
pub(super) fn average(mean: &mut [i32], weights: &[i32], gain: f32) {
    let bits = gain.to_bits();
    // The gain is mantissa / 2^by. A subnormal one is too small for a bit that it does not have to matter.
    let (mantissa, by) = (i64::from(bits & 0x7f_ffff | 0x80_0000), 150 - (bits >> 23).min(127));
    // The integers are in the upper words of the products. From 2⁻⁵⁸ on, a product of 57 bits rounds to 0.
    let kept = by.clamp(32, 62);
    let (factor, right) = (mantissa << kept.saturating_sub(by), kept - 32);
    let below_half = (1_i64 << (kept - 1)) - 1;
    let upper = |product: i64| (product >> 32) as i32 >> right;
    for (mean, &w) in mean.iter_mut().zip(weights) {
        // The result lies between the two, so it fits, and bits beyond it are not needed.
        let product = (i64::from(w) - i64::from(*mean)).wrapping_mul(factor);
        let odd = i64::from(upper(product) & 1);
        *mean = mean.wrapping_add(upper(product.wrapping_add(below_half + odd)));
    }
}

/// factor · x · 2^power for a factor of at most 1, modulo 2³².
#[inline(never)]
fn far(x: i64, (factor, power): (i64, i32)) -> i32 {
    scale(factor * x, power) as i32
}

/// Multiplies all values by a factor in [0, 1), rounded to nearest. Values other than 0 always shrink: rounding alone
/// could keep a small one forever.
#[inline(never)]
pub(super) fn decay(mut values: &mut [i32], factor: (i64, i32)) {
    let shift = FloatShift::new(factor);
    loop {
        let left = shift.map_or(values.len(), |shift| integer::decay(values, &shift));
        let Some((value, next)) = last_mut(values, left) else { return };
        let rounded = far(i64::from(*value), factor);
        *value = if rounded == *value { rounded - rounded.signum() } else { rounded };
        values = next;
    }
}

#[cfg(test)]
mod tests {
    use super::super::rounding::{round_shift, split};
    use super::*;

    #[test]
    fn an_average_is_rounded_once() {
        let mut noise = 1_u64;
        for round in 0..if cfg!(miri) { 200 } else { 1_000_000 } {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Few bits, for ties, and ways that do not fit a word.
            let (mean, w) = ((noise >> 32) as i32 >> (round % 32), noise as i32 >> (round / 32 % 32));
            let gain = match round % 5 {
                0 => 1.0,
                1 => 0.5,
                2 => f32::from_bits((noise >> 20) as u32 % (1_f32.to_bits() + 1)),
                _ => ((noise >> 40) as f32 / 16_777_216.0) / (1 << (round % 30)) as f32,
            };
            let (factor, power) = split(gain);
            let change = round_shift((i64::from(w) - i64::from(mean)) * factor, power.unsigned_abs());
            let mut result = [mean];
            average(&mut result, &[w], gain);
            assert_eq!(i64::from(result[0]), i64::from(mean) + change, "{mean}, {w}, {gain}");
        }
    }
}
