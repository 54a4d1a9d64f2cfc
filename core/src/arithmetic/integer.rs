//! Rounding shifts, and a quotient without division, for the fixed-point backend.

use super::kernels;
pub(super) use super::kernels::MANTISSA;
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

/// The same, compiled once: for what runs rarely, or once per row.
#[inline(never)]
pub(super) fn round_shift_called(x: i64, by: u32) -> i64 {
    round_shift(x, by)
}

/// x · 2^`by`, rounded like [`round_shift`], or `None` if it does not fit.
#[inline(never)]
pub(super) fn scale(x: i64, by: i32) -> Option<i64> {
    if by <= 0 {
        return Some(round_shift_called(x, by.unsigned_abs()));
    }
    let by = by.unsigned_abs();
    let fits = x == 0 || by < x.unsigned_abs().leading_zeros();
    fits.then(|| if x == 0 { 0 } else { x << by })
}

/// A product of two factors below 2³¹, shifted to the right by at least a word and rounded like [`round_shift`].
///
/// The amount is settled once per vector: 64-bit shifts, which most cores must emulate, become shifts of a word.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct WordShift {
    factor: i32,
    /// Beyond a word, in 0..32.
    by: u32,
    /// The upper word of a half, less one bit of the lower word.
    bias: i32,
    /// The least lower word that rounds up with this bias, for an even result.
    least: u32,
}

impl WordShift {
    /// factor · x · 2^`power` for any x below 2³¹; `None` if it could have more than 30 bits.
    #[inline]
    pub(super) fn new(factor: i64, power: i32) -> Option<Self> {
        if power > -33 { None } else { Self::settle(i32::try_from(factor).ok()?, power) }
    }

    /// The same; `None` if it could have more than 31 bits.
    #[inline]
    fn settle(factor: i32, power: i32) -> Option<Self> {
        match -power {
            32 => Some(Self { factor, by: 0, bias: 0, least: HALF_WORD + 1 }),
            by @ 33..64 => Some(Self { factor, by: by as u32 - 32, bias: (1 << (by - 33)) - 1, least: 1 }),
            // Less than a quarter.
            64.. => Some(Self { factor: 0, by: 1, bias: 0, least: 1 }),
            _ => None,
        }
    }

    #[inline(always)]
    pub(super) fn times(self, x: i32) -> i32 {
        let (upper, lower) = product(self.factor, x);
        let odd = (upper >> self.by).cast_unsigned() & 1;
        (upper + self.bias + i32::from(lower >= self.least - odd)) >> self.by
    }
}

/// A product with the mantissa of an `f32`, and rounded like `round_shift`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct FloatShift {
    shift: WordShift,
    /// The bits by which the other factor must be shifted to the left in its word.
    spare: u32,
}

impl FloatShift {
    /// Mantissas of 24 bits can be shifted to the left by as many bits in a word.
    const ROOM: i32 = 7;
    /// The other factor may be a mantissa of a direction, of up to 25 bits and a sign.
    const MOST_SPARE: i32 = 6;

    /// mantissa · x · 2^`power`, unless the result could have too many bits.
    #[inline]
    pub fn new((mantissa, power): (i64, i32)) -> Option<Self> {
        let spare = (32 - Self::ROOM + power).max(0);
        if spare > Self::MOST_SPARE {
            return None;
        }
        let shift = WordShift::settle((mantissa as i32) << Self::ROOM, power - Self::ROOM - spare)?;
        Some(Self { shift, spare: spare as u32 })
    }

    /// At most 30 bits; `None` if x itself has too many.
    #[inline(always)]
    pub(super) fn times(self, x: i32) -> Option<i32> {
        let wide = x << self.spare;
        (wide >> self.spare == x).then(|| self.shift.times(wide))
    }
}

/// The two words of a product.
#[cfg(not(has_short_multiply))]
#[inline(always)]
fn product(a: i32, b: i32) -> (i32, u32) {
    let product = i64::from(a) * i64::from(b);
    ((product >> 32) as i32, product as u32)
}
#[cfg(has_short_multiply)]
use product_of_halves as product;

/// The same, from products that fit a word. Where b has no lower half, fewer of them are left.
#[cfg(any(has_short_multiply, test))]
#[inline(always)]
fn product_of_halves(a: i32, b: i32) -> (i32, u32) {
    let halves = |x: i32| (x >> 16, x & 0xffff);
    let lower_word = a.wrapping_mul(b).cast_unsigned();
    let (a, b) = (halves(a), halves(b));
    // Below 2³² as it is unsigned.
    let last = a.1.wrapping_mul(b.1).cast_unsigned();
    // An upper half times a lower one leaves room for another half.
    let (upper, lower) = halves(a.1 * b.0 + (last >> 16).cast_signed());
    let middle = a.0 * b.1 + lower;
    (a.0 * b.0 + upper + (middle >> 16), lower_word)
}

/// √x, rounded down, for an x of at least 2³⁰, and what is left of x.
#[cfg(not(has_vfp))]
#[inline]
fn root_of_word(x: u32) -> (u32, u32) {
    let (mut root, mut remainder, mut bit) = (0_u32, x, 1_u32 << 30);
    while bit != 0 {
        let trial = root + bit;
        root >>= 1;
        if remainder >= trial {
            remainder -= trial;
            root += bit;
        }
        bit >>= 2;
    }
    (root, remainder)
}
#[cfg(has_vfp)]
use root_of_word_by_float as root_of_word;

/// The same by the FPU's root, which has 24 bits of those 16.
#[cfg(any(has_vfp, test))]
#[inline]
fn root_of_word_by_float(x: u32) -> (u32, u32) {
    // Rounded up to 2¹⁶ at most.
    let root = (kernels::sqrt(x as f32) as u32).min(0xffff);
    // Rounding up to a whole number makes it one too large.
    let root = root - u32::from(root * root > x);
    (root, x - root * root)
}

/// √x, rounded down, for an x of at least 2⁶²: half of the root by bits, the other half by a division of words.
#[inline]
pub(super) fn isqrt(x: u64) -> u32 {
    let (upper, third, fourth) = ((x >> 32) as u32, (x >> 16) as u32 & 0xffff, i64::from(x as u16));
    // root² + remainder is the upper word.
    let (root, remainder) = root_of_word(upper);
    // The quotient of the remainder, with the third half appended, by twice the root: halved to fit a word.
    let numerator = (remainder << 15) | (third >> 1);
    let quotient = numerator / root.max(1);
    let rest = 2 * (numerator - quotient * root) + (third & 1);
    // The quotient is exact, or one too large.
    let below = (i64::from(rest) << 16) + fourth < (u64::from(quotient) * u64::from(quotient)).cast_signed();
    (root << 16).wrapping_add(quotient).wrapping_sub(below.into())
}

/// A number, saturated to the range of its format if necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clipped {
    pub(super) value: i32,
    pub(super) saturated: bool,
}

impl Clipped {
    #[inline]
    pub(super) fn new(x: i64) -> Self {
        match i32::try_from(x) {
            Ok(value) => Self { value, saturated: false },
            Err(_) => Self { value: if x < 0 { i32::MIN } else { i32::MAX }, saturated: true },
        }
    }
}

/// x · 2^`by` in 32 bits, saturated.
#[inline]
pub(super) fn scale_clipped(x: i64, by: i32) -> Clipped {
    if by == 0 { Clipped::new(x) } else { scale_clipped_far(x, by) }
}

#[inline(never)]
fn scale_clipped_far(x: i64, by: i32) -> Clipped {
    // What does not fit 64 bits keeps its sign, far outside of 32.
    Clipped::new(scale(x, by).unwrap_or(if x < 0 { i64::MIN } else { i64::MAX }))
}

/// 1/s as `mantissa` · 2^−`exponent`, with a mantissa in [2²⁵, 2²⁶].
///
/// The hot loops multiply by it: a 64-bit division per row and pass would cost as much as the row itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inverse {
    pub(super) mantissa: u32,
    pub(super) exponent: u16,
}

const HALF_WORD: u32 = 1 << 31;

/// 2⁵⁷/divisor for a divisor of 32 bits, to the nearest integer: it is never halfway between two.
#[cfg(not(has_short_multiply))]
#[inline]
fn reciprocal(divisor: u32) -> u32 {
    // 17 bits of the inverse of the upper half. One step of Newton's method doubles them: its error is below 0.6.
    let estimate = u32::MAX / (divisor >> 16).max(1);
    let excess = ((u64::from(estimate) * u64::from(divisor)) >> 8) as u32;
    let excess = i64::from(excess.cast_signed()) * i64::from(estimate << 1) + (1 << 31);
    let quotient = (estimate << 9).wrapping_sub((excess >> 32) as u32);
    // The remainder tells if that is one too large or too small.
    let product = u64::from(quotient) * u64::from(divisor) + u64::from(divisor >> 1);
    let (upper, lower) = ((product >> 32) as u32, product as u32);
    match upper {
        NUMERATOR if lower < divisor => quotient,
        ..NUMERATOR => quotient + 1,
        _ => quotient - 1,
    }
}

/// The upper word of 2⁵⁷.
#[cfg(not(has_short_multiply))]
const NUMERATOR: u32 = 1 << 25;
#[cfg(has_short_multiply)]
use reciprocal_by_bits as reciprocal;

/// The same without a division, which cores without a 64-bit multiply do not have either.
#[cfg(any(has_short_multiply, test))]
#[inline]
fn reciprocal_by_bits(divisor: u32) -> u32 {
    // The numerator's upper bits, below the divisor.
    let (mut remainder, mut quotient) = (1_u32 << 30, 0);
    for _ in 0..=MANTISSA {
        quotient <<= 1;
        // Twice the remainder may have 33 bits.
        let missing = divisor - remainder;
        if remainder >= missing {
            quotient |= 1;
            remainder -= missing;
        } else {
            remainder <<= 1;
        }
    }
    quotient + u32::from(remainder > divisor - remainder)
}

impl Inverse {
    /// 1/s for s > 0.
    #[inline(never)]
    pub(super) fn of(s: u64) -> Self {
        let length = bit_length(s);
        let exponent = length as u16 + 25;
        let (upper, lower) = ((s >> 32) as u32, s as u32);
        // s to 32 significant bits, rounded to even.
        let (divisor, up) = if upper == 0 {
            (lower.unbounded_shl(lower.leading_zeros()), false)
        } else {
            let zeros = upper.leading_zeros();
            let floor = (upper << zeros) | (lower >> 1 >> (31 - zeros));
            (floor, lower << zeros > HALF_WORD - (floor & 1))
        };
        let mantissa = match divisor.overflowing_add(up.into()) {
            (0, true) => 1 << (MANTISSA - 1),
            // A row is never all zeros, so this cannot occur; it would give the largest inverse.
            (0, false) => 1 << MANTISSA,
            (divisor, _) => reciprocal(divisor),
        };
        Self { mantissa, exponent }
    }

    /// 1/s, rounded to 24 bits.
    pub(super) fn to_f32(self) -> f32 {
        (self.mantissa as f32).scaled(-i32::from(self.exponent))
    }

    /// (r/s) · 2^`by`, in 32 bits. r is first rounded to 26 bits, so the relative error is about 2⁻²⁵.
    #[inline(always)]
    pub(super) fn times(self, r: i64, by: i32) -> Clipped {
        match self.times_near(r, by) {
            Some(value) => Clipped { value, saturated: false },
            None => self.times_any(r, by),
        }
    }

    /// The same if it has few bits, as almost always.
    #[inline(always)]
    pub(super) fn times_near(self, r: i64, by: i32) -> Option<i32> {
        kernels::quotient(r, self.mantissa, i32::from(self.exponent) - by)
    }

    /// The same for any size.
    #[inline(never)]
    pub(super) fn times_any(self, r: i64, by: i32) -> Clipped {
        let drop = bit_length(r.unsigned_abs()).saturating_sub(MANTISSA);
        let product = round_shift_called(r, drop) * i64::from(self.mantissa);
        scale_clipped(product, drop as i32 + by - i32::from(self.exponent))
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
            assert_eq!(product_of_halves(a, b), ((whole >> 32) as i32, whole as u32), "{a} * {b}");
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
    fn products_with_floats_round_like_shifts() {
        let mut noise = 1_u64;
        let mut settled = 0;
        for round in 0..ROUNDS {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mantissa = (noise >> 39) as i64 - (1 << 24);
            let mantissa = mantissa >> (round % 24) << (round % 5).min(round % 24);
            let x = (noise >> 8) as i32 >> (round / 24 % 32) << (round % 3);
            let power = -(round as i32 % 75);
            let Some(result) = FloatShift::new((mantissa, power)).and_then(|shift| shift.times(x)) else { continue };
            let expected = round_shift(mantissa * i64::from(x), power.unsigned_abs());
            assert_eq!(i64::from(result), expected, "{mantissa} * {x} * 2^{power}");
            assert!(result.unsigned_abs() <= 1 << 30);
            settled += 1;
        }
        assert!(settled > ROUNDS / 3, "{settled}");
    }

    #[test]
    fn roots_are_roots() {
        let check = |x: u64| assert_eq!(u64::from(isqrt(x)), x.isqrt(), "{x}");
        let mut noise = 1_u64;
        for round in 0..ROUNDS {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            check((noise >> (round % 64) << (round % 64)) | (1 << (62 + round % 2)));
            // Squares and their neighbours.
            let root = (noise >> 32 >> (round % 33)) | (1 << 31);
            [root * root, root * root - u64::from(root > 1 << 31), root * root + 2 * root].into_iter().for_each(check);
        }
        [1 << 62, (1 << 62) + 1, 1 << 63, u64::MAX, u64::MAX - 1, u64::MAX << 32, (u64::MAX << 32) - 1]
            .into_iter()
            .for_each(check);
    }

    #[test]
    fn roots_by_floats_are_roots() {
        // Every square, and the words before and behind it.
        for root in (1 << 15..1_u32 << 16).step_by(if cfg!(miri) { 1000 } else { 1 }) {
            let square = root * root;
            let (before, behind) = if root > 1 << 15 { (square - 1, root - 1) } else { (square, root) };
            assert_eq!(root_of_word_by_float(before).0, behind);
            assert_eq!(root_of_word_by_float(square), (root, 0));
            assert_eq!(root_of_word_by_float(square + 2 * root), (root, 2 * root));
            assert_eq!(root_of_word_by_float(square + root), root_of_word(square + root));
        }
    }

    #[test]
    fn reciprocals_are_rounded_quotients() {
        let check = |divisor: u32| {
            let (quotient, rest) = ((1_u64 << 57) / u64::from(divisor), (1_u64 << 57) % u64::from(divisor));
            let up = 2 * rest > u64::from(divisor) || (2 * rest == u64::from(divisor) && quotient & 1 == 1);
            let expected = (quotient + u64::from(up)) as u32;
            assert_eq!((reciprocal(divisor), reciprocal_by_bits(divisor)), (expected, expected), "{divisor}");
        };
        let mut noise = 1_u64;
        for round in 0..ROUNDS {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            check(((noise >> 32) as u32 >> (round % 31) << (round % 31)) | HALF_WORD);
            check(((noise >> 32) as u32 >> (round % 32)) | HALF_WORD);
        }
        let ends = if cfg!(miri) { 100 } else { 70_000 };
        (0..ends).for_each(|i| check(HALF_WORD + i));
        (0..ends).for_each(|i| check(u32::MAX - i));
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
