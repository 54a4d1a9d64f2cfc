//! The cosine of a turn, from the weights as they are.

use super::sum::{MANTISSA_FRACTION, root};
use crate::arithmetic::integer::float;
use crate::arithmetic::kernels::turn::turn_sums;

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
