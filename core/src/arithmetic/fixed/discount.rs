//! Products with a discount.

use super::rounding::{scale, split};

/// x · gamma for a gamma in [0, 1], rounded to nearest even and no larger than x. It uses two 64-bit products, since
/// one 128-bit product takes three times as long.
#[inline(never)]
pub(super) fn times(x: i64, (gamma, power): (i64, i32)) -> i64 {
    let by = power.unsigned_abs();
    match by {
        // 1: no configuration has more.
        ..24 => x,
        // As almost always: as a fraction of a word, it gives a product that needs no shift.
        24..=32 => {
            let gamma = (gamma as u32) << (32 - by);
            let lower = u64::from(x as u32) * u64::from(gamma);
            let floor = (x >> 32) * i64::from(gamma) + (lower >> 32).cast_signed();
            floor + i64::from(lower as u32 > (1 << 31) - (floor as u32 & 1))
        }
        _ => {
            // The product is upper · 2³² + lower. A sticky bit for the lower half of the lower product, which is below a
            // half here.
            let (upper, lower) = ((x >> 32) * gamma, (x & i64::from(u32::MAX)) * gamma);
            let sticky = i64::from(lower as u32 != 0);
            scale(((upper + (lower >> 32)) << 1) | sticky, 31 - by.cast_signed())
        }
    }
}

/// reward + gamma · next, saturated.
#[inline(never)]
pub(super) fn backup(reward: i64, gamma: f32, next: i64) -> i64 {
    reward.saturating_add(times(next, split(gamma)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_with_a_discount_is_rounded_once() {
        let mut noise = 1_u64;
        let rounds = if cfg!(miri) { 200 } else { 200_000 };
        for round in 0..rounds {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let x = noise.cast_signed() >> (round % 64);
            let gamma = match round % 7 {
                0 => 1.0,
                1 => 0.5_f32,
                2 => f32::from_bits((noise >> 40) as u32 & 0x007f_ffff),
                _ => f32::from_bits(0x3f80_0000 - (noise >> (32 + round % 20)) as u32 % 0x3f80_0000),
            };
            let (mantissa, power) = split(gamma);
            let (product, by) = (i128::from(x) * i128::from(mantissa), power.unsigned_abs());
            // The product has at most 88 bits: beyond that, nothing of it is left.
            let by = by.min(100);
            let (floor, half) = (product >> by, 1_i128 << by >> 1);
            let fraction = product - (floor << by);
            let exact = floor + i128::from(fraction > half || fraction == half && floor & 1 == 1);
            assert_eq!(i128::from(times(x, (mantissa, power))), exact, "{x} * {gamma}");
        }
        for x in [i64::MIN, i64::MAX, -1, 0, 1] {
            assert_eq!((times(x, split(1.0)), times(x, split(0.0))), (x, 0));
        }
    }
}
