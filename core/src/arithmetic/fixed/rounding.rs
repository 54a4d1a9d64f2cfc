//! Rounding shifts, and a quotient without division, for the fixed-point backend.

use crate::arithmetic::kernels::integer::{self, product, reciprocal};
pub(super) use crate::arithmetic::kernels::portable::quotient::MANTISSA;
use crate::arithmetic::kernels::root_of_word;
use crate::arithmetic::scalar::Scalar;

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

/// x · 2^`by`, rounded like [`round_shift`], or the largest number with that sign if it does not fit.
///
/// It shifts words: 64-bit shifts are long, or calls. Almost always, one step of less than a word is enough.
#[inline(never)]
pub(super) fn scale(mut x: i64, by: i32) -> i64 {
    let words = |x: i64| ((x >> 32) as i32, x as u32);
    let number = |upper: i32, lower: u32| i64::from(upper) << 32 | i64::from(lower);
    if by > 0 {
        let mut bits = by.cast_unsigned();
        loop {
            let (step, (upper, lower)) = (bits.min(31), words(x));
            let shifted = upper << step;
            if shifted >> step != upper {
                return (x >> 63) ^ i64::MAX;
            }
            x = number(shifted | (lower >> 1 >> (31 - step)).cast_signed(), lower << step);
            bits -= step;
            if bits == 0 {
                return x;
            }
        }
    }
    let mut bits = by.unsigned_abs();
    // With a sticky bit for the bits shifted out, which stays below a half.
    while bits > 31 {
        x = x >> 30 | i64::from((x as u32) << 2 != 0);
        bits -= 30;
    }
    let (upper, lower) = words(x);
    let floor = (lower >> bits) | (upper << 1 << (31 - bits)).cast_unsigned();
    let up = lower << 1 << (31 - bits) > HALF_WORD - (floor & 1);
    number(upper >> bits, floor) + i64::from(up)
}

/// x · 2^exponent as a float, rounded once unless it is subnormal.
#[inline(never)]
pub(super) fn float(x: i64, exponent: i32) -> f32 {
    // The sign and the leading bits fill the upper word. If bits are lost, the last one is set: an f32 keeps only 24 of 31
    // bits, and is the same then.
    let zeros = (x ^ (x >> 63)).leading_zeros().min(33) - 1;
    let full = x << zeros;
    let word = (full >> 32) as i32 | i32::from(full as u32 != 0);
    (word as f32).scaled(exponent + 32 - zeros as i32)
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
            by @ 33.. => {
                // From 63 on, at most a half is left.
                let by = by.min(63);
                Some(Self { factor, by: by as u32 - 32, bias: (1 << (by - 33)) - 1, least: 1 })
            }
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
    pub(in crate::arithmetic) fn times(self, x: i32) -> Option<i32> {
        let wide = x << self.spare;
        (wide >> self.spare == x).then(|| self.shift.times(wide))
    }
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
    #[inline(never)]
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
    Clipped::new(scale(x, by))
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

impl Inverse {
    /// 1/s for s > 0.
    #[inline(never)]
    pub(super) fn of(s: u64) -> Self {
        let zeros = s.leading_zeros();
        let full = s << (zeros & 63);
        // s to 32 significant bits, rounded to even.
        let (floor, lower) = ((full >> 32) as u32, full as u32);
        let mantissa = match floor.wrapping_add((lower > HALF_WORD - (floor & 1)).into()) {
            // Rounded up to 2³²; or a row of zeros, which does not exist.
            0 => 1 << (MANTISSA - 1),
            divisor => reciprocal(divisor),
        };
        Self { mantissa, exponent: 89 - zeros as u16 }
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

    /// The same by a call, which takes no room on the stack at any other time.
    #[inline(always)]
    pub(super) fn times_called(self, r: i64, by: i32) -> Clipped {
        quotient(r, self.mantissa, by - i32::from(self.exponent))
    }

    /// The same if it has few bits, as almost always.
    #[inline(always)]
    pub(super) fn times_near(self, r: i64, by: i32) -> Option<i32> {
        integer::quotient(r, self.mantissa, i32::from(self.exponent) - by)
    }

    /// The same for any size.
    #[inline(always)]
    pub(super) fn times_any(self, r: i64, by: i32) -> Clipped {
        any_quotient(r, self.mantissa, by - i32::from(self.exponent))
    }
}

/// r · mantissa · 2^`by`, as [`Inverse::times`].
#[inline(never)]
fn quotient(r: i64, mantissa: u32, by: i32) -> Clipped {
    match integer::quotient(r, mantissa, -by) {
        Some(value) => Clipped { value, saturated: false },
        None => any_quotient(r, mantissa, by),
    }
}

/// The same for any size.
#[inline(never)]
fn any_quotient(r: i64, mantissa: u32, by: i32) -> Clipped {
    let drop = bit_length(r.unsigned_abs()).saturating_sub(MANTISSA);
    let product = scale(r, -drop.cast_signed()) * i64::from(mantissa);
    scale_clipped(product, drop.cast_signed() + by)
}

/// A finite float as an integer times 2^power, exactly.
#[inline]
pub(super) fn split(x: f32) -> (i64, i32) {
    let bits = x.to_bits();
    let fraction = (bits & 0x7f_ffff).cast_signed();
    let (magnitude, power) = match (bits >> 23) & 0xff {
        0 => (fraction, -149),
        biased => (fraction | 0x80_0000, biased as i32 - 150),
    };
    (i64::from(if x.is_sign_negative() { -magnitude } else { magnitude }), power)
}

#[cfg(test)]
mod tests;
