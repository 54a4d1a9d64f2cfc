//! The loops over vectors of fixed point that run once per update.
//!
//! Those with a [`FloatShift`] do the leading elements and return how many are left: the next one has too many bits. The
//! caller does it in full, and goes on. If lengths differ, which they never do, nothing is done.

#[cfg(has_long_multiply)]
use super::armv7m::vectors;
pub use crate::arithmetic::integer::FloatShift;

/// values ← shift · values, but one unit closer to 0 where that would not change them.
#[inline(always)]
pub fn decay(values: &mut [i32], shift: &FloatShift) -> usize {
    #[cfg(has_long_multiply)]
    if !values.is_empty() {
        // SAFETY: the length is that of the slice, and it is not 0.
        return unsafe { vectors::decay(values.as_mut_ptr(), values.len(), shift) };
    }
    #[cfg(has_long_multiply)]
    return values.len();
    #[cfg(not(has_long_multiply))]
    portable::decay(values, shift)
}

/// velocity ← velocity − gain · direction, weights ← weights + velocity. All have the same length.
#[inline(always)]
pub fn step(weights: &mut [i32], velocity: &mut [i32], direction: &[i32], gain: &FloatShift) -> usize {
    #[cfg(has_long_multiply)]
    if !weights.is_empty() && weights.len() == velocity.len() && weights.len() == direction.len() {
        let (w, v, n) = (weights.as_mut_ptr(), velocity.as_mut_ptr(), weights.len());
        // SAFETY: all slices have this length, and it is not 0.
        return unsafe { vectors::step(w, v, direction.as_ptr(), n, gain) };
    }
    #[cfg(has_long_multiply)]
    return weights.len();
    #[cfg(not(has_long_multiply))]
    portable::step(weights, velocity, direction, gain)
}

/// The magnitudes of all values, combined by or: they have as many bits as the largest.
#[inline(always)]
pub fn magnitudes(values: &[i64]) -> u64 {
    #[cfg(has_long_multiply)]
    if !values.is_empty() {
        // SAFETY: the length is that of the slice, and it is not 0.
        return unsafe { vectors::magnitudes(values.as_ptr(), values.len()) };
    }
    #[cfg(has_long_multiply)]
    return 0;
    #[cfg(not(has_long_multiply))]
    portable::magnitudes(values)
}

/// mantissas ← values / 2^`by`, rounded to even, for values that fit a word then and a `by` in 1..32. Both have the same
/// length.
#[inline(always)]
pub fn shift_all(values: &[i64], mantissas: &mut [i32], by: u32) {
    #[cfg(has_long_multiply)]
    if !values.is_empty() && values.len() == mantissas.len() {
        // SAFETY: both slices have this length, and it is not 0.
        unsafe { vectors::shift_all(values.as_ptr(), mantissas.as_mut_ptr(), values.len(), 1 << (32 - by)) };
    }
    #[cfg(not(has_long_multiply))]
    portable::shift_all(values, mantissas, by);
}

/// The sum of the squares of these mantissas.
#[inline(always)]
pub fn sum_of_squares(values: &[i64], by: u32) -> u64 {
    #[cfg(has_long_multiply)]
    if !values.is_empty() {
        // SAFETY: the length is that of the slice, and it is not 0.
        return unsafe { vectors::sum_of_squares(values.as_ptr(), values.len(), 1 << (32 - by)) };
    }
    #[cfg(has_long_multiply)]
    return 0;
    #[cfg(not(has_long_multiply))]
    portable::sum_of_squares(values, by)
}

/// The same in plain Rust.
pub mod portable {
    use super::FloatShift;

    /// See [`decay`](super::decay).
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

    /// See [`step`](super::step).
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

    /// See [`magnitudes`](super::magnitudes).
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

    /// See [`shift_all`](super::shift_all).
    #[inline(always)]
    pub fn shift_all(values: &[i64], mantissas: &mut [i32], by: u32) {
        mantissas.iter_mut().zip(values).for_each(|(mantissa, &value)| *mantissa = shifted(value, by));
    }

    /// See [`sum_of_squares`](super::sum_of_squares).
    #[inline(always)]
    pub fn sum_of_squares(values: &[i64], by: u32) -> u64 {
        values.iter().map(|&value| i64::from(shifted(value, by)).pow(2) as u64).sum()
    }
}
