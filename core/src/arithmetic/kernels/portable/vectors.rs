//! The loops over vectors of fixed point that run once per update.
//!
//! Those with a [`FloatShift`] do the leading elements and return how many are left: the next one has too many bits. The
//! caller does it in full, and goes on. If lengths differ, which they never do, nothing is done.

use super::super::FloatShift;

/// values ← shift · values, but one unit closer to 0 where that would not change them.
#[inline(always)]
pub fn decay(values: &mut [i32], shift: &FloatShift) -> usize {
    let mut left = values.len();
    for value in values {
        let Some(next) = shift.times(*value) else { break };
        *value = if next == *value { next - next.signum() } else { next };
        left -= 1;
    }
    left
}

/// velocity ← velocity − gain · direction, weights ← weights + velocity. All have the same length.
#[inline(always)]
pub fn step(weights: &mut [i32], velocity: &mut [i32], direction: &[i32], gain: &FloatShift) -> usize {
    let mut left = weights.len();
    for ((w, velocity), &g) in weights.iter_mut().zip(velocity).zip(direction) {
        let Some(change) = gain.times(g).and_then(|change| velocity.checked_sub(change)) else { break };
        let Some(next) = w.checked_add(change) else { break };
        (*w, *velocity) = (next, change);
        left -= 1;
    }
    left
}

/// The magnitudes of all values, combined by or: they have as many bits as the largest.
#[inline(always)]
pub fn magnitudes(values: &[i64]) -> u64 {
    values.iter().fold(0, |all, x| all | x.unsigned_abs())
}

/// One mantissa, with words instead of 64-bit shifts.
#[inline(always)]
fn shifted(value: i64, by: u32) -> i32 {
    let (upper, lower) = ((value >> 32) as u32, value as u32);
    let floor = (upper << (32 - by)) | (lower >> by);
    floor.wrapping_add(u32::from(lower << (32 - by) > (1 << 31) - (floor & 1))).cast_signed()
}

/// mantissas ← values / 2^`by`, rounded to even, for values that fit a word then and a `by` in 1..32. Both have the same
/// length.
#[inline(always)]
pub fn shift_all(values: &[i64], mantissas: &mut [i32], by: u32) {
    mantissas.iter_mut().zip(values).for_each(|(mantissa, &value)| *mantissa = shifted(value, by));
}

/// The sum of the squares of these mantissas.
#[inline(always)]
pub fn sum_of_squares(values: &[i64], by: u32) -> u64 {
    values.iter().map(|&value| i64::from(shifted(value, by)).pow(2) as u64).sum()
}
