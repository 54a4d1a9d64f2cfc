//! Integers as pairs of floats: no float holds more than 53 bits, and the rounding error of an operation is computed as
//! well, by the error-free transformations of Dekker, Veltkamp and Knuth. Quotients and roots are corrected by their
//! remainders.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Sub};

use super::integer::Integer;

/// a + b = sum + error, exactly.
#[inline]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// Splits into two halves of at most 26 bits each.
#[inline]
fn split(a: f64) -> (f64, f64) {
    let c = 134_217_729.0 * a;
    let high = c - (c - a);
    (high, a - high)
}

/// a·b = product + error, exactly.
#[inline]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a1, a0), (b1, b0)) = (split(a), split(b));
    (product, ((a1 * b1 - product) + a1 * b0 + a0 * b1) + a0 * b0)
}

/// 2^e, with e clamped to where the exact power no longer matters: numbers here are below 2¹⁰⁰.
#[inline]
fn power(e: i64) -> f64 {
    f64::from_bits(((e.clamp(-400, 400) + 1023) as u64) << 52)
}

/// ⌊log₂|x|⌋ + 1 for a normal number: the bit length of an integer. 0 for 0.
#[inline]
fn bits(x: f64) -> i64 {
    if x == 0.0 { 0 } else { (x.to_bits() >> 52 & 0x7ff) as i64 - 1022 }
}

fn is_odd(x: f64) -> bool {
    (x * 0.5).fract() != 0.0
}

/// The exact number hi + lo; lo is 0 for at most 53 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pair {
    hi: f64,
    lo: f64,
}

impl From<i64> for Pair {
    #[inline]
    fn from(x: i64) -> Self {
        Self::of((x >> 32) as f64 * power(32), (x & 0xffff_ffff) as f64)
    }
}

impl Pair {
    #[inline]
    fn of(a: f64, b: f64) -> Self {
        let (hi, lo) = two_sum(a, b);
        Self { hi, lo }
    }

    /// As long as the integers sum to less than 2¹⁰⁰, lo collects errors below 2⁵³. These are integers, so their sum is
    /// exact.
    #[inline]
    fn plus(self, (x, error): (f64, f64)) -> Self {
        let (hi, lost) = two_sum(self.hi, x);
        Self { hi, lo: self.lo + lost + error }
    }
}

impl Add for Pair {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus((other.hi, other.lo))
    }
}

impl Sub for Pair {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self.plus((-other.hi, -other.lo))
    }
}

impl Mul for Pair {
    type Output = Self;

    /// The second factor has at most 53 bits.
    #[inline]
    fn mul(self, other: Self) -> Self {
        let (hi, lo) = two_product(self.hi, other.hi);
        let high = Self { hi, lo };
        if self.lo == 0.0 { high } else { high.plus(two_product(self.lo, other.hi)) }
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Pair {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let difference = *self - *other;
        // It may be rounded, but never to 0 or past it.
        (difference.hi + difference.lo).partial_cmp(&0.0)
    }
}

impl Integer for Pair {
    #[inline]
    fn parts(x: f32) -> (Self, i64) {
        let x = f64::from(x);
        // Below the normal range, the unit stays that of the smallest normal numbers.
        let exponent = (bits(x) - 24).max(-149);
        (Self { hi: x * power(-exponent), lo: 0.0 }, exponent)
    }

    #[inline]
    fn shifted(self, by: i64) -> Self {
        let (hi, lo) = (self.hi * power(by), self.lo * power(by));
        if by >= 0 {
            return Self { hi, lo };
        }
        if lo == 0.0 {
            return Self { hi: hi.round_ties_even(), lo };
        }
        let (near, far) = (hi.round_ties_even(), lo.round_ties_even());
        // The remainder is between −1 and 1. Is it more than a half?
        let (remainder, error) = two_sum(hi - near, lo - far);
        let more = remainder.abs() > 0.5 || remainder.abs() == 0.5 && error * remainder > 0.0;
        let is_tie = remainder.abs() == 0.5 && error == 0.0;
        let up = more || is_tie && is_odd(near) != is_odd(far);
        Self::of(near, if up { far + remainder.signum() } else { far })
    }

    #[inline]
    fn length(self) -> i64 {
        let Self { hi, lo } = Self::of(self.hi, self.lo);
        let is_power = hi.to_bits() << 12 == 0;
        bits(hi) - i64::from(is_power && hi * lo < 0.0)
    }

    /// The float quotient, corrected by the remainder.
    fn quotient(self, by: Self) -> Self {
        let near = (self.hi / by.hi).round_ties_even();
        let (product, error) = two_product(near, by.hi);
        let remainder = (self.hi - product) - error;
        let is_far = 2.0 * remainder.abs() > by.hi || 2.0 * remainder.abs() == by.hi && is_odd(near);
        Self { hi: if is_far { near + remainder.signum() } else { near }, lo: 0.0 }
    }

    /// The float root, corrected by the remainder.
    fn root(self) -> Self {
        let square = |r: f64| Self::default().plus(two_product(r, r));
        let mut r = (self.hi + self.lo).sqrt().floor();
        while square(r) > self {
            r -= 1.0;
        }
        while square(r + 1.0) <= self {
            r += 1.0;
        }
        Self { hi: r, lo: 0.0 }
    }

    #[inline]
    fn to_i64(self) -> i64 {
        let Self { hi, lo } = Self::of(self.hi, self.lo);
        // Only hi = 2⁶³ does not fit, and then lo is negative.
        if hi == power(63) { i64::MAX + (lo as i64 + 1) } else { hi as i64 + lo as i64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worlds::Dice;

    #[test]
    fn remainders_put_right_what_floats_get_wrong() {
        // (2³² − 1)² − 1.
        let almost = Pair::from(4_294_967_295);
        let x = almost * almost - Pair::from(1);
        assert_eq!(((x.hi + x.lo).sqrt(), x.root().to_i64()), (4_294_967_295.0, 4_294_967_294));
        // 2⁵⁷/d exceeds an even number by ½ + 2⁻³³: the float sees a tie.
        let d = 3_345_585_407;
        let quotient = Pair::from(1 << 57).quotient(d.into());
        assert_eq!(((power(57) / d as f64).round_ties_even(), quotient.to_i64()), (43_076_224.0, 43_076_225));
        // Ties, and values 2⁻¹⁰⁰ away from them.
        let halves = |lo: f64| [5.0, 7.0, -5.0].map(|hi| Pair { hi, lo }.shifted(-1).to_i64());
        assert_eq!([0.0, power(-100), -power(-100)].map(halves), [[2, 4, -2], [3, 4, -2], [2, 3, -3]]);
    }

    #[test]
    fn pairs_hold_every_integer_of_64_bits() {
        let mut dice = Dice::new(3);
        let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
        let random = (0..100_000).map(|_| (i64::from(dice.bits() as i32) << 32) | i64::from(dice.bits()));
        for x in random.chain(ends) {
            assert_eq!(Pair::from(x).to_i64(), x);
            let doubled = (Pair::from(x) + x.into()).cut64().to_i64();
            assert_eq!(doubled, x.saturating_add(x));
        }
    }
}
