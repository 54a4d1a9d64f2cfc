//! A tracking learner's sample in the format's native numbers, without a row: the sums of the features as they are, and
//! the exponents moved instead of the features.

use super::row_integer::RowInteger;
use super::sum::{MANTISSA_FRACTION, root};
use super::{Fixed, WeightInteger};
use crate::arithmetic::integer::{Inverse, float};
use crate::arithmetic::kernels::turn::turn_sums;
use crate::arithmetic::kernels::{self, bits_of, bits_of_mut};
use crate::arithmetic::scalar::Scalar;

/// Fraction bits of φ·w for φ and w as they are, beyond those of a target: features of 15 bits and weights of 28 give 11.
const fn target_shift<R: RowInteger, W: WeightInteger>() -> i32 {
    R::BITS_USED as i32 + W::FRAC_NBITS as i32 - 32
}

/// A target rounded to 32 fraction bits, with `more` zeros behind them; `None` from 2⁸ on.
#[inline(always)]
fn target_bits(target: f32, more: i32) -> Option<i64> {
    let bits = target.to_bits();
    let exponent = ((bits >> 23) & 0xff) as i32 - 127;
    let mantissa = ((bits & 0x7f_ffff) | 0x80_0000) as i32;
    // In units of 2^−32.
    let left = exponent + 9;
    let magnitude = match left {
        17.. => return None,
        0.. => {
            // Words, because 64-bit shifts are emulated. No target has more than 16 + 15 bits here.
            let (by, word) = ((left + more).cast_unsigned(), mantissa.cast_unsigned());
            (u64::from(word >> (31 - by) >> 1) << 32 | u64::from(word << by)).cast_signed()
        }
        -24.. => {
            let by = left.unsigned_abs();
            let (floor, remainder) = (mantissa >> by, mantissa.cast_unsigned() << (32 - by));
            let up = remainder > (1 << 31) - (floor & 1).cast_unsigned();
            let rounded = floor + i32::from(up);
            i64::from(rounded >> 1 >> (31 - more)) << 32 | i64::from((rounded << more).cast_unsigned())
        }
        _ => 0,
    };
    Some(if target.is_sign_negative() { -magnitude } else { magnitude })
}

/// The powers of two that may be missing in the largest feature. With more, the target's bits might not fit.
const MOST_MISSING: i32 = 9;

impl<R: RowInteger, W: WeightInteger> Fixed<R, W> {
    /// A pull towards a row that is not built. Returns the distance before it, and how many weights saturated.
    ///
    /// A built row has features with all bits, so 2^s times these: φ·w − V has s more zeros then, ‖φ‖² has 2s, and the
    /// mantissas of all of them are the same.
    #[inline(always)]
    pub(super) fn pull_features<const N: usize>(
        weights: &mut [W; N],
        features: &[R::Raw; N],
        target: f32,
        gain: f32,
    ) -> Option<(f32, u32)> {
        let features = R::from_raws(features);
        if R::PULLS_ROWS {
            let more = const { target_shift::<R, W>().unsigned_abs() };
            return R::pull_row(bits_of_mut(weights), features, more, target, gain);
        }
        let sums = R::row_sums(features, bits_of(weights))?;
        let missing = R::BITS_USED as i32 - (u32::BITS - sums.magnitudes.leading_zeros()) as i32;
        if !(0..=MOST_MISSING).contains(&missing) {
            return None;
        }
        let residual = sums.product - target_bits(target, target_shift::<R, W>())?;
        let inverse = Inverse::of(sums.square);
        let by = Self::FEATURE - Self::WEIGHT + Self::RESIDUAL - missing;
        let quotient = inverse.times(residual, by);

        let magnitude = kernels::from_integer(quotient.value.unsigned_abs());
        let product = gain.times(if quotient.value < 0 { -magnitude } else { magnitude });
        let scale = missing - Self::RESIDUAL - Self::FEATURE + Self::WEIGHT;
        let saturated = R::subtract(bits_of_mut(weights), features, product, scale);
        // From 2²⁵ to 2²⁶, times a power of two: both are far from the ends of the range.
        let exponent = 2 * (Self::FEATURE + Self::RESIDUAL - missing) - i32::from(inverse.exponent);
        let scaled = f32::from_bits(
            kernels::from_integer(inverse.mantissa).to_bits().wrapping_add((exponent << 23).cast_unsigned()),
        );
        Some((magnitude.over(kernels::sqrt(scaled)), saturated + u32::from(quotient.saturated)))
    }
}

/// The cosine of the turn between the ways from a to b and from b to c; 0 if one of them has no length.
#[inline(never)]
pub(super) fn turn(a: &[i32], b: &[i32], c: &[i32]) -> f32 {
    let sums = turn_sums(a, b, c);
    let lengths = root(sums.after) * root(sums.before);
    if lengths == 0.0 { 0.0 } else { float(sums.product, -2 * MANTISSA_FRACTION as i32) / lengths }
}

#[cfg(test)]
mod tests {
    use fixed::types::I4F28;

    use super::*;
    use crate::Q28;
    use crate::arithmetic::scalar::Scalar;

    #[test]
    fn a_turn_is_the_cosine_of_two_directions() {
        let mut noise = 1_u64;
        for round in 0..if cfg!(miri) { 100 } else { 100_000 } {
            let points: [[i32; 3]; 3] = [[(); 3]; 3].map(|point| {
                point.map(|()| {
                    noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    // Few bits, for ties; and points that are the same.
                    (noise >> 32) as i32 >> (round % 32) << (round % 3 * 4)
                })
            });
            let [a, b, c] = points.map(|point| point.map(I4F28::from_bits));
            let [before, after] = [Q28::difference(&b, &a), Q28::difference(&c, &b)];
            let product = before.mantissas.iter().zip(after.mantissas).map(|(&x, y)| i64::from(x) * i64::from(y));
            let lengths = before.norm() * after.norm();
            let cosine = (product.sum::<i64>() as f32).scaled(-46) / lengths;
            let expected = if lengths == 0.0 { 0.0 } else { cosine };
            assert_eq!(turn(&points[0], &points[1], &points[2]).to_bits(), expected.to_bits(), "{points:?}");
        }
    }
}
