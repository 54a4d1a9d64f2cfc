//! Error-free floating point: the rounding error of an operation is computed as well, and corrected.

/// a + b = sum + error, exactly.
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// Splits into two halves of at most 26 bits each.
fn split(a: f64) -> (f64, f64) {
    let c = 134_217_729.0 * a;
    let high = c - (c - a);
    (high, a - high)
}

/// a·b = product + error, exactly.
pub(super) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a1, a0), (b1, b0)) = (split(a), split(b));
    (product, ((a1 * b1 - product) + a1 * b0 + a0 * b1) + a0 * b0)
}

/// 2^e, with e clamped to where the exact power no longer matters: numbers here are below 2¹⁰⁰.
pub(super) fn power(e: i64) -> f64 {
    f64::from_bits(((e.clamp(-400, 400) + 1023) as u64) << 52)
}

/// ⌊log₂|x|⌋ + 1 for a normal number: the bit length of an integer. 0 for 0.
pub(super) fn bits(x: f64) -> i64 {
    if x == 0.0 { 0 } else { (x.to_bits() >> 52 & 0x7ff) as i64 - 1022 }
}

fn is_odd(x: f64) -> bool {
    (x * 0.5).fract() != 0.0
}

/// Rounds to the nearest f32, including subnormals and infinities.
///
/// For a + − × ÷ or √ of f32 operands computed in f64, this is the correctly rounded f32, because 53 ≥ 2·24 + 2.
pub(super) fn single(x: f64) -> f64 {
    if x.abs() >= power(128) {
        return x * f64::INFINITY;
    }
    // The last bit of the sum has the weight of the last bit of the f32.
    let shelter = 1.5 * power(52 + (bits(x) - 24).max(-149));
    let near = (x + shelter) - shelter;
    if near.abs() >= power(128) { near * f64::INFINITY } else { near }
}

/// The exact number hi + lo.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pair {
    pub(super) hi: f64,
    pub(super) lo: f64,
}

impl From<i64> for Pair {
    fn from(x: i64) -> Self {
        Self { hi: (x >> 32) as f64 * power(32), lo: (x & 0xffff_ffff) as f64 }
    }
}

impl Pair {
    /// As long as the integers sum to less than 2¹⁰⁰, lo collects errors below 2⁵³. These are integers, so their sum is
    /// exact.
    pub(super) fn add(self, (x, error): (f64, f64)) -> Self {
        let (hi, lost) = two_sum(self.hi, x);
        Self { hi, lo: self.lo + lost + error }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        self.add((other.hi, other.lo))
    }

    pub(super) fn minus(self, other: Self) -> Self {
        self.add((-other.hi, -other.lo))
    }

    pub(super) fn value(self) -> f64 {
        self.hi + self.lo
    }

    /// The bit length of an integer.
    pub(super) fn bits(self) -> i64 {
        let (hi, lo) = two_sum(self.hi, self.lo);
        let is_power = hi.to_bits() << 12 == 0;
        bits(hi) - i64::from(is_power && hi * lo < 0.0)
    }

    /// 2^by times this, rounded to nearest even.
    pub(super) fn rounded(self, by: i64) -> Self {
        let (hi, lo) = (self.hi * power(by), self.lo * power(by));
        let (near, far) = (hi.round_ties_even(), lo.round_ties_even());
        // The remainder is between −1 and 1. Is it more than a half?
        let (remainder, error) = two_sum(hi - near, lo - far);
        let more = remainder.abs() > 0.5 || remainder.abs() == 0.5 && error * remainder > 0.0;
        let is_tie = remainder.abs() == 0.5 && error == 0.0;
        let up = more || is_tie && is_odd(near) != is_odd(far);
        let (hi, lo) = two_sum(near, far);
        Self { hi, lo: if up { lo + remainder.signum() } else { lo } }
    }

    /// Clamps to a range. Returns whether that changed the number.
    pub(super) fn cut(self, least: Self, most: Self) -> (Self, bool) {
        // A difference may be rounded, but never to 0 or past it.
        if self.minus(most).value() > 0.0 {
            (most, true)
        } else if self.minus(least).value() < 0.0 {
            (least, true)
        } else {
            (self, false)
        }
    }

    /// Saturates to 64 bits.
    pub(super) fn cut64(self) -> Self {
        self.cut(i64::MIN.into(), i64::MAX.into()).0
    }

    /// As an integer of at most 64 bits.
    pub(super) fn integer(self) -> i64 {
        let (hi, lo) = two_sum(self.hi, self.lo);
        // Only hi = 2⁶³ does not fit, and then lo is negative.
        if hi == power(63) { i64::MAX + (lo as i64 + 1) } else { hi as i64 + lo as i64 }
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> Pair {
    a.iter().zip(b).fold(Pair::default(), |sum, (&a, &b)| sum.add(two_product(a, b)))
}

/// a/b to the nearest integer: the float quotient, corrected by the remainder.
pub(super) fn quotient(a: f64, b: f64) -> f64 {
    let near = (a / b).round_ties_even();
    let (product, error) = two_product(near, b);
    let remainder = (a - product) - error;
    let is_far = 2.0 * remainder.abs() > b || 2.0 * remainder.abs() == b && is_odd(near);
    if is_far { near + remainder.signum() } else { near }
}

/// ⌊√x⌋: the float root, corrected by the remainder.
pub(super) fn root(x: Pair) -> f64 {
    let is_beyond = |r: f64| {
        let (square, error) = two_product(r, r);
        (square - x.hi) + (error - x.lo) > 0.0
    };
    let mut r = x.value().sqrt().floor();
    while is_beyond(r) {
        r -= 1.0;
    }
    while !is_beyond(r + 1.0) {
        r += 1.0;
    }
    r
}

/// Saturates to 32 bits. Returns whether that changed the number.
pub(super) fn clipped(x: f64) -> (f64, bool) {
    let cut = x.clamp(i32::MIN.into(), i32::MAX.into());
    (cut, cut != x)
}

/// x·factor to the nearest integer, for an integer x of at most 53 bits.
pub(super) fn times(x: f64, factor: f64) -> f64 {
    let (hi, lo) = two_product(x, factor);
    Pair { hi, lo }.rounded(0).value()
}

/// The same for 0 ≤ factor < 1. A nonzero x always shrinks.
pub(super) fn shrunk(x: f64, factor: f64) -> f64 {
    let near = times(x, factor);
    if near == x && x != 0.0 { x - x.signum() } else { near }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worlds::Dice;

    #[test]
    fn remainders_put_right_what_floats_get_wrong() {
        // (2³² − 1)² − 1.
        let x = Pair::default().add(two_product(4_294_967_295.0, 4_294_967_295.0)).add((-1.0, 0.0));
        assert_eq!((x.value().sqrt(), root(x)), (4_294_967_295.0, 4_294_967_294.0));
        // 2⁵⁷/d exceeds an even number by ½ + 2⁻³³: the float sees a tie.
        let d = 3_345_585_407.0;
        assert_eq!(((power(57) / d).round_ties_even(), quotient(power(57), d)), (43_076_224.0, 43_076_225.0));
        // Ties, and values 2⁻¹⁰⁰ away from them.
        let halves = |error: f64| [2.5, 3.5, -2.5].map(|x| Pair { hi: x, lo: error }.rounded(0).value());
        assert_eq!(
            [0.0, power(-100), -power(-100)].map(halves),
            [[2.0, 4.0, -2.0], [3.0, 4.0, -2.0], [2.0, 3.0, -3.0]]
        );
    }

    #[test]
    fn pairs_hold_every_integer_of_64_bits() {
        let mut dice = Dice::new(3);
        let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
        let random = (0..100_000).map(|_| (i64::from(dice.bits() as i32) << 32) | i64::from(dice.bits()));
        for x in random.chain(ends) {
            assert_eq!(Pair::from(x).integer(), x);
            let doubled = Pair::from(x).plus(x.into()).cut64().integer();
            assert_eq!(doubled, x.saturating_add(x));
        }
    }

    /// Compares each operation with the machine's f32, including subnormal and infinite results.
    #[test]
    fn singles_are_those_of_the_machine() {
        let mut dice = Dice::new(7);
        for _ in 0..1_000_000 {
            let [a, b] = [0; 2].map(|_| f32::from_bits(dice.bits()));
            // Without signs and infinite operands.
            let (a, b) = (a.abs().min(f32::MAX), b.abs().min(f32::MAX));
            let (x, y) = (f64::from(a), f64::from(b));
            assert_eq!(single(x + y), f64::from(a + b), "{a} + {b}");
            assert_eq!(single(x - y), f64::from(a - b), "{a} - {b}");
            assert_eq!(single(x * y), f64::from(a * b), "{a} * {b}");
            assert_eq!(single(x.sqrt()), f64::from(a.sqrt()), "root of {a}");
            if b != 0.0 {
                assert_eq!(single(x / y), f64::from(a / b), "{a} / {b}");
            }
        }
    }
}
