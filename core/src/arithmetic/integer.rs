//! Rounding shifts, and a quotient without division, for the fixed-point backend.

use super::scalar::Scalar;

/// The number of bits in |x|; 0 for 0.
#[inline]
pub(super) fn bit_length(x: u64) -> u32 {
    u64::BITS - x.leading_zeros()
}

/// x / 2^`by`, rounded to nearest even. A shift that always rounds in one direction would cause a drift.
#[inline]
pub(super) fn round_shift(x: i64, by: u32) -> i64 {
    match by {
        0 => x,
        1..64 => {
            let floor = x >> by;
            // The bits shifted out, moved to the top: they can be compared with a half without a mask.
            let remainder = (x << (64 - by)) as u64;
            const HALF: u64 = 1 << 63;
            floor + i64::from(remainder > HALF || (remainder == HALF && floor & 1 == 1))
        }
        _ => 0,
    }
}

/// x · 2^`by`, rounded like [`round_shift`], or `None` if it does not fit.
#[inline]
pub(super) fn scale(x: i64, by: i32) -> Option<i64> {
    if by <= 0 {
        return Some(round_shift(x, by.unsigned_abs()));
    }
    let by = by.unsigned_abs();
    let fits = x == 0 || by < x.unsigned_abs().leading_zeros();
    fits.then(|| if x == 0 { 0 } else { x << by })
}

/// A product of two factors below 2³¹, shifted to the right by more than a word and rounded like [`round_shift`].
///
/// The amount is settled once per vector: 64-bit shifts, which most cores must emulate, become shifts of a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordShift {
    factor: i32,
    /// In 1..32.
    by: u32,
}

impl WordShift {
    /// factor · x · 2^`power` for any x below 2³¹; `None` if it could have more than 30 bits.
    #[inline]
    pub(super) fn new(factor: i64, power: i32) -> Option<Self> {
        let factor = i32::try_from(factor).ok()?;
        match -power {
            by @ 33..64 => Some(Self { factor, by: by as u32 - 32 }),
            // Less than a quarter.
            64.. => Some(Self { factor: 0, by: 1 }),
            _ => None,
        }
    }

    #[inline(always)]
    pub(super) fn times(self, x: i32) -> i32 {
        let (upper, rest) = product(self.factor, x);
        let floor = upper >> self.by;
        // The bits shifted out, with a sticky bit for the lower word.
        let remainder = (upper.cast_unsigned() << (32 - self.by)) | u32::from(rest);
        floor + i32::from(remainder > HALF_WORD - (floor & 1).cast_unsigned())
    }
}

/// The upper word of a product, and whether the lower one is not 0.
#[cfg(not(has_short_multiply))]
#[inline(always)]
fn product(a: i32, b: i32) -> (i32, bool) {
    let product = i64::from(a) * i64::from(b);
    ((product >> 32) as i32, product as u32 != 0)
}
#[cfg(has_short_multiply)]
use product_of_halves as product;

/// The same, from products that fit a word. Where b has no lower half, only two of them are left.
#[cfg(any(has_short_multiply, test))]
#[inline(always)]
fn product_of_halves(a: i32, b: i32) -> (i32, bool) {
    let halves = |x: i32| (x >> 16, x & 0xffff);
    let (a, b) = (halves(a), halves(b));
    // Below 2³² as it is unsigned.
    let last = a.1.wrapping_mul(b.1).cast_unsigned();
    // An upper half times a lower one leaves room for another half.
    let (upper, lower) = halves(a.1 * b.0 + (last >> 16).cast_signed());
    let middle = a.0 * b.1 + lower;
    (a.0 * b.0 + upper + (middle >> 16), (middle.cast_unsigned() | last) << 16 != 0)
}

/// A number, saturated to the range of its format if necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clipped {
    pub(super) value: i32,
    pub(super) saturated: bool,
}

/// x · 2^`by` in 32 bits, saturated.
#[inline]
pub(super) fn scale_clipped(x: i64, by: i32) -> Clipped {
    let limit = if x < 0 { i32::MIN } else { i32::MAX };
    match scale(x, by).map(i32::try_from) {
        Some(Ok(value)) => Clipped { value, saturated: false },
        _ => Clipped { value: limit, saturated: true },
    }
}

/// 1/s as `mantissa` · 2^−`exponent`, with a mantissa in [2²⁵, 2²⁶].
///
/// The hot loops multiply by it: a 64-bit division per row and pass would cost as much as the row itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inverse {
    pub(super) mantissa: u32,
    pub(super) exponent: u16,
}

/// A product of two mantissas of this many bits stays below 2⁵³, so an f64 model of it is exact.
pub(super) const MANTISSA: u32 = 26;

const HALF_WORD: u32 = 1 << 31;

/// A product of mantissas fits a word after dropping this many bits.
const CUT: u32 = 21;

/// a · b / 2²¹ for mantissas, with a sticky bit for the bits shifted out.
#[cfg(not(has_short_multiply))]
#[inline(always)]
fn cut_product(a: u32, b: u32) -> u32 {
    let product = u64::from(a) * u64::from(b);
    (product >> CUT) as u32 | u32::from((product as u32) << (u32::BITS - CUT) != 0)
}
#[cfg(has_short_multiply)]
use cut_product_of_halves as cut_product;

/// The same, from products that fit a word: without a 64-bit multiply, a library routine takes three times as long.
#[cfg(any(has_short_multiply, test))]
#[inline(always)]
fn cut_product_of_halves(a: u32, b: u32) -> u32 {
    const HALF: u32 = MANTISSA / 2;
    let lower = |x: u32| x & ((1 << HALF) - 1);
    let (a, b) = ((a >> HALF, lower(a)), (b >> HALF, lower(b)));
    let last = a.1 * b.1;
    let middle = a.0 * b.1 + a.1 * b.0 + (last >> HALF);
    const TAIL: u32 = CUT - HALF;
    let below = (middle << (u32::BITS - TAIL)) | lower(last);
    (((a.0 * b.0) << (MANTISSA - CUT)) + (middle >> TAIL)) | u32::from(below != 0)
}

impl Inverse {
    /// 1/s for s > 0.
    #[inline]
    pub(super) fn of(s: u64) -> Self {
        let length = bit_length(s);
        // s to 32 significant bits; if rounding makes them 33, the quotient below is just 2²⁵.
        let divisor =
            if length > 32 { round_shift(s as i64, length - 32) as u64 } else { s.unbounded_shl(32 - length) };
        let numerator = 1_u64 << 57;
        // A row is never all zeros, so zero cannot occur here; it would give the largest inverse.
        let floor = numerator.checked_div(divisor).unwrap_or(1 << MANTISSA);
        let remainder = numerator.checked_rem(divisor).unwrap_or(0);
        let up = remainder * 2 > divisor || (remainder * 2 == divisor && floor & 1 == 1);
        Self { mantissa: (floor + u64::from(up)) as u32, exponent: length as u16 + 25 }
    }

    /// 1/s, rounded to 24 bits.
    pub(super) fn to_f32(self) -> f32 {
        (self.mantissa as f32).scaled(-i32::from(self.exponent))
    }

    /// (r/s) · 2^`by`, in 32 bits. r is first rounded to 26 bits, so the relative error is about 2⁻²⁵.
    ///
    /// Called once per row and pass, so the common case avoids 64-bit shifts, which most cores must emulate. Magnitudes
    /// round to even as signed numbers do, and their leading bits fit a word.
    #[inline(always)]
    pub(super) fn times(self, r: i64, by: i32) -> Clipped {
        let magnitude = r.unsigned_abs();
        let (upper, lower) = ((magnitude >> 32) as u32, magnitude as u32);
        if upper != 0 {
            // The leading one moved to the top of a word, less one bit so that rounding up cannot overflow, with a
            // sticky bit for the bits shifted out.
            let zeros = upper.leading_zeros();
            let word = (upper << zeros) | (lower >> 1 >> (31 - zeros));
            let word = (word >> 1) | (word & 1) | u32::from(lower << zeros != 0);
            const BELOW: u32 = u32::BITS - 1 - MANTISSA;
            let factor = (word + (1 << (BELOW - 1)) - 1 + ((word >> BELOW) & 1)) >> BELOW;
            let drop = u64::BITS - MANTISSA - zeros;

            // Both factors are in [2²⁵, 2²⁶]: these are the product's leading bits, with a sticky bit.
            let word = cut_product(factor, self.mantissa);
            let shift = (i32::from(self.exponent) - by - (drop + CUT) as i32).cast_unsigned();
            // From 2 on, the sticky bit is below a half, and the remainder fits.
            if (2..32).contains(&shift) {
                let (floor, remainder) = (word >> shift, word << (32 - shift));
                let rounded = (floor + u32::from(remainder > HALF_WORD - (floor & 1))) as i32;
                return Clipped { value: if r < 0 { -rounded } else { rounded }, saturated: false };
            }
        }
        self.times_any(r, by)
    }

    /// The same for all other cases.
    #[inline(never)]
    fn times_any(self, r: i64, by: i32) -> Clipped {
        let drop = bit_length(r.unsigned_abs()).saturating_sub(MANTISSA);
        let product = round_shift(r, drop) * i64::from(self.mantissa);
        scale_clipped(product, drop as i32 + by - i32::from(self.exponent))
    }

    /// (x/s) · 2^`by` for a feature x, in 32 bits.
    #[inline]
    pub(super) fn quotient_of(self, x: i32, by: i32) -> Clipped {
        scale_clipped(i64::from(x) * i64::from(self.mantissa), by - i32::from(self.exponent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Miri is far too slow for a million rounds, and checks memory use, not the numbers.
    const ROUNDS: u32 = if cfg!(miri) { 200 } else { 1_000_000 };

    #[test]
    fn shifts_round_to_even() {
        let halves = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5].map(|x| round_shift(x, 1));
        assert_eq!(halves, [-2, -2, -2, -1, 0, 0, 0, 1, 2, 2, 2]);
        assert_eq!([round_shift(i64::MIN, 63), round_shift(i64::MAX, 63), round_shift(i64::MIN, 64)], [-1, 1, 0]);
        assert_eq!(round_shift(i64::MAX, 1), 1 << 62);
    }

    #[test]
    fn left_shifts_know_their_range() {
        assert_eq!(scale(1, 62), Some(1 << 62));
        assert_eq!(scale(1, 63), None);
        assert_eq!(scale(0, 1000), Some(0));
        assert_eq!(scale(-3, -1), Some(-2));
        assert_eq!(scale_clipped(-1, 40), Clipped { value: i32::MIN, saturated: true });
    }

    #[test]
    fn word_shifts_round_like_shifts() {
        let mut noise = 1_u64;
        for round in 0..ROUNDS {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (factor, x) = ((noise >> 33) as i32 - (1 << 30), (noise as u32 >> 1).cast_signed() - (1 << 30));
            // Few bits, for ties.
            let (factor, x) = (factor >> (round % 30), x >> (round / 30 % 30) << (round % 7));
            let power = -(round as i32 % 80);
            let expected = round_shift(i64::from(factor) * i64::from(x), power.unsigned_abs());
            match WordShift::new(factor.into(), power) {
                Some(shift) => assert_eq!(i64::from(shift.times(x)), expected, "{factor} * {x} * 2^{power}"),
                None => assert!(power > -33),
            }
        }
    }

    #[test]
    fn words_of_halves_are_words_of_products() {
        let mut noise = 1_u64;
        let check = |a: i32, b: i32| {
            let whole = i64::from(a) * i64::from(b);
            assert_eq!(product_of_halves(a, b), ((whole >> 32) as i32, whole as u32 != 0), "{a} * {b}");
        };
        for round in 0..ROUNDS {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (a, b) = ((noise >> 32) as i32, (noise >> 8) as i32);
            check(a >> (round % 31), b >> (round % 29) << (round % 32));
        }
        let limits = [i32::MIN, i32::MIN + 1, -65_537, -65_536, -65_535, -1, 0, 1, 0xffff, 0x1_0000, i32::MAX];
        limits.iter().for_each(|&a| limits.iter().for_each(|&b| check(a, b)));
    }

    #[test]
    fn products_of_halves_are_products() {
        let mut noise = 1_u64;
        for round in 0..ROUNDS {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (a, b) = ((1 << 25) + (noise >> 39) as u32, (1 << 25) + (noise >> 14 & 0x1ff_ffff) as u32);
            // Many of them end in zeros, and some are powers of two.
            let (a, b) = (a >> (round % 26) << (round % 26), b >> (round % 25) << (round % 25));
            assert_eq!(cut_product_of_halves(a, b), cut_product(a, b), "{a} * {b}");
        }
        let limits = [1 << 25, (1 << 25) + 1, (1 << 26) - 1, 1 << 26];
        for (a, b) in limits.into_iter().flat_map(|a| limits.map(|b| (a, b))) {
            assert_eq!(cut_product_of_halves(a, b), cut_product(a, b), "{a} * {b}");
        }
    }

    #[test]
    fn inverse_is_near() {
        for s in [1, 2, 3, 5, 7, 1000, (1 << 30) + 1, (1 << 36) - 1, u64::from(u32::MAX), (1 << 33) - 1, 1 << 56] {
            let inverse = Inverse::of(s);
            let value = f64::from(inverse.mantissa)
                * crate::arithmetic::scalar::Scalar::scaled(1.0_f64, -i32::from(inverse.exponent));
            assert!((value * s as f64 - 1.0).abs() < 1.0 / f64::from(1 << 25), "{s}");
            assert!((1 << 25..=1 << 26).contains(&inverse.mantissa), "{s}");
        }
        let mut noise = 1_u64;
        for _ in 0..ROUNDS {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (length, by) = ((noise >> 58) as u32, (noise >> 50 & 0xff) as i32 - 128);
            // Every length, and many halfway cases: few bits set, or all of them.
            let r = (noise << 14).cast_signed() >> length;
            let r = if noise & 64 == 0 { r } else { (r >> 20 << 20) + (noise & 1) as i64 };
            let inverse = Inverse::of(noise >> (noise & 63) | 1);
            assert_eq!(inverse.times(r, by), inverse.times_any(r, by), "{r} / {inverse:?} * 2^{by}");
        }
        for r in [i64::MIN, i64::MAX, 0, -1] {
            for by in -100..200 {
                assert_eq!(Inverse::of(1).times(r, by), Inverse::of(1).times_any(r, by), "{r} * 2^{by}");
            }
        }
        assert_eq!(Inverse::of(4).times(20, 0), Clipped { value: 5, saturated: false });
        assert_eq!(Inverse::of(4).times(-10, 0), Clipped { value: -2, saturated: false });
    }
}
