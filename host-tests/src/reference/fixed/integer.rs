//! What the formulas of fixed point ask of integers; and integers of 128 bits.

use std::cmp::Ordering;
use std::fmt::Debug;
use std::ops::{Add, Mul, Sub};

/// Integers whose sums, differences and products are exact, as long as one factor has at most 53 bits and the result
/// at most 100.
pub trait Integer:
    Copy + Debug + Default + PartialOrd + From<i64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// (a, e) with x = a·2^e, for a finite x.
    fn parts(x: f32) -> (Self, i64);
    /// rne(x·2^by). What is too large for any range that callers check may stay so in another way.
    fn shifted(self, by: i64) -> Self;
    /// The bit length of |x|.
    fn length(self) -> i64;
    /// rne(x/by), for two positive numbers of at most 58 bits.
    fn quotient(self, by: Self) -> Self;
    /// ⌊√x⌋.
    fn root(self) -> Self;
    /// The same number, if it has at most 64 bits.
    fn to_i64(self) -> i64;

    /// The nearest f32.
    fn to_f32(self) -> f32 {
        self.to_i64() as f32
    }
    /// Clamps to a range. Returns whether that changed the number.
    fn cut(self, least: i64, most: i64) -> (Self, bool) {
        // Most numbers are shorter than the ends.
        if self.length() <= i64::from((most as u64 + 1).ilog2()) {
            return (self, false);
        }
        let (least, most) = (Self::from(least), Self::from(most));
        match self {
            _ if self < least => (least, true),
            _ if self > most => (most, true),
            _ => (self, false),
        }
    }
    /// Saturates to 32 bits.
    fn cut32(self) -> (Self, bool) {
        self.cut(i32::MIN.into(), i32::MAX.into())
    }
    /// Saturates to 64 bits.
    fn cut64(self) -> Self {
        self.cut(i64::MIN, i64::MAX).0
    }
    /// rne(x·factor).
    fn times(self, factor: f32) -> Self {
        let (a, e) = Self::parts(factor);
        (self * a).shifted(e)
    }
    /// 10. x·factor with 0 ≤ factor < 1, to the nearest integer. A nonzero x always shrinks.
    fn shrunk(self, factor: f32) -> Self {
        let near = self.times(factor);
        match self.partial_cmp(&Self::default()) {
            Some(Ordering::Greater) if near == self => self - Self::from(1),
            Some(Ordering::Less) if near == self => self + Self::from(1),
            _ => near,
        }
    }
    /// Σ aᵢbᵢ.
    fn dot(a: &[Self], b: &[Self]) -> Self {
        a.iter().zip(b).fold(Self::default(), |sum, (&a, &b)| sum + a * b)
    }
    /// The bit length of the longest.
    fn longest(all: &[Self]) -> i64 {
        all.iter().map(|x| x.length()).max().unwrap_or(0)
    }
}

/// floor + remainder/by, rounded to nearest even.
#[inline]
fn nearest(floor: i128, remainder: i128, by: i128) -> i128 {
    match (2 * remainder).cmp(&by) {
        Ordering::Less => floor,
        Ordering::Equal => floor + floor.rem_euclid(2),
        Ordering::Greater => floor + 1,
    }
}

/// The plain reading: every rounding is one exact division.
impl Integer for i128 {
    #[inline]
    fn parts(x: f32) -> (Self, i64) {
        let (fraction, biased) = (Self::from(x.to_bits() & 0x7f_ffff), i64::from(x.to_bits() >> 23 & 0xff));
        let (magnitude, e) = if biased == 0 { (fraction, -149) } else { (fraction + (1 << 23), biased - 150) };
        (if x.is_sign_negative() { -magnitude } else { magnitude }, e)
    }

    /// |x| ≤ 2⁶³ for left shifts, and < 2¹²⁵ for right shifts.
    ///
    /// Beyond the clamp the exact power does not matter. To the left, only 0 fits any range that callers check. To the
    /// right, everything is less than a half.
    #[inline]
    fn shifted(self, by: i64) -> Self {
        match by.clamp(-126, 63) {
            left @ 0.. => self << left,
            right => nearest(self >> -right, self & ((1 << -right) - 1), 1 << -right),
        }
    }

    #[inline]
    fn length(self) -> i64 {
        i64::from(128 - self.unsigned_abs().leading_zeros())
    }

    fn quotient(self, by: Self) -> Self {
        nearest(self.div_euclid(by), self.rem_euclid(by), by)
    }

    fn root(self) -> Self {
        self.isqrt()
    }

    #[inline]
    fn to_i64(self) -> i64 {
        self.try_into().expect("at most 64 bits")
    }
}
