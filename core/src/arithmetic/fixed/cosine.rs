//! The cosine of an angle between differences of weights.

use super::rounding::float;
use super::sum::{MANTISSA_FRACTION, root};
use crate::arithmetic::kernels::integer::cosine_sums;

/// cos ∠(b − a, c − b); 0 if one of them is zero.
#[inline(never)]
pub(super) fn cosine(a: &[i32], b: &[i32], c: &[i32]) -> f32 {
    let sums = cosine_sums(a, b, c);
    let lengths = root(sums.after) * root(sums.before);
    if lengths == 0.0 { 0.0 } else { float(sums.product, -2 * MANTISSA_FRACTION as i32) / lengths }
}

#[cfg(test)]
mod tests {
    use super::super::sum::{FixedDirection, FixedSum};
    use super::*;
    use crate::arithmetic::backend::Empty;
    use crate::arithmetic::scalar::Scalar;

    fn direction(from: [i32; 3], to: [i32; 3]) -> FixedDirection<3> {
        let mut direction = FixedDirection::EMPTY;
        let values = [0, 1, 2].map(|i| i64::from(to[i]) - i64::from(from[i]));
        FixedSum { values, saturated: 0 }.normalise(&mut direction, 0);
        direction
    }

    #[test]
    fn a_cosine_is_that_of_two_directions() {
        let mut noise = 1_u64;
        for round in 0..if cfg!(miri) { 100 } else { 100_000 } {
            let points: [[i32; 3]; 3] = [[(); 3]; 3].map(|point| {
                point.map(|()| {
                    noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    // Few bits, for ties; and points that are the same.
                    (noise >> 32) as i32 >> (round % 32) << (round % 3 * 4)
                })
            });
            let [a, b, c] = points;
            let [before, after] = [direction(a, b), direction(b, c)];
            let product = before.mantissas.iter().zip(after.mantissas).map(|(&x, y)| i64::from(x) * i64::from(y));
            let lengths = before.norm() * after.norm();
            let quotient = (product.sum::<i64>() as f32).scaled(-46) / lengths;
            let expected = if lengths == 0.0 { 0.0 } else { quotient };
            assert_eq!(cosine(&points[0], &points[1], &points[2]).to_bits(), expected.to_bits(), "{points:?}");
        }
    }
}
