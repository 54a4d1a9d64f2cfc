//! The cosine of an angle between two vectors.

use super::real::Real;

/// The cosine of the angle between two vectors; 0 if one of them is zero or not finite.
#[inline(always)]
pub(super) fn cosine<T: Real, const N: usize>(mut before: [T; N], mut after: [T; N]) -> T {
    usual_cosine(&before, &after).unwrap_or_else(|| {
        [&mut before, &mut after].into_iter().for_each(normalise);
        usual_cosine(&before, &after).unwrap_or(T::ZERO)
    })
}

/// The cosine, unless a vector is unusually long or short. What is rounded as a subnormal here is too small to change a
/// square, and a product that it changes is too small to change a gain.
#[inline(never)]
fn usual_cosine<T: Real, const N: usize>(before: &[T; N], after: &[T; N]) -> Option<T> {
    let (product, before, after) = (T::dot(after, before), T::norm_squared(before), T::norm_squared(after));
    (before.is_usual() && after.is_usual()).then(|| product / (after.sqrt() * before.sqrt()))
}

/// Scales a vector such that its largest element lies in [1, 2), unless it is zero.
#[inline(never)]
fn normalise<T: Real, const N: usize>(vector: &mut [T; N]) {
    T::scale_in_place(vector, -T::largest(vector).exponent());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::backend::Scalar;

    #[test]
    fn a_cosine_has_no_units() {
        let (before, after) = ([3.0_f32, -1.0, 0.25, 7.0, -2.5], [1.0_f32, 2.0, -0.125, 0.75, 6.0]);
        let plain = cosine(before, after);
        assert!((plain + 0.1).abs() < 0.2 && plain != 0.0);
        for (i, j) in (-140..=124).flat_map(|i| [-140, -126, -30, 0, 30, 124].map(|j| (i, j))) {
            let scaled = cosine(before.map(|x| x.scaled(i)), after.map(|x| x.scaled(j)));
            assert_eq!(scaled.to_bits(), plain.to_bits(), "2^{i}, 2^{j}");
        }
    }

    #[test]
    fn a_cosine_without_a_direction_is_zero() {
        for [x, y] in [[0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [f32::INFINITY, 1.0], [1.0, f32::NEG_INFINITY]] {
            assert_eq!(cosine([x, 0.0], [y, y]), 0.0);
        }
    }
}
