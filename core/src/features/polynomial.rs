//! Monomials up to a total degree.

use super::{FeatureMap, finite};
use crate::arithmetic::RowError;

/// The number of monomials of total degree at most `degree`: (coordinates + degree choose degree). It saturates.
///
/// ```
/// use osculate::features::{Polynomial, monomials};
/// const N: usize = monomials(3, 2);
/// let map = Polynomial::<3, 2, N>::new();
/// assert_eq!(N, 10);
/// ```
pub const fn monomials(coordinates: usize, degree: usize) -> usize {
    let (mut count, mut i) = (1_usize, 0);
    while i < degree {
        i += 1;
        // (c + i choose i) from (c + i − 1 choose i − 1): divisible at every step.
        count = count.saturating_mul(coordinates.saturating_add(i)) / i;
    }
    count
}

/// All monomials of total degree at most `DEGREE` in `D` coordinates: `N` = (`D` + `DEGREE` choose `DEGREE`) features.
///
/// **Order**: by degree, the constant 1 first; within a degree, like words in a dictionary whose letters are the
/// coordinates. For two coordinates and degree 2: 1, x₀, x₁, x₀², x₀x₁, x₁².
///
/// One product per feature: x of its first letter times the feature of the remaining word, x₀x₁x₁ = x₀·(x₁·x₁). A
/// monomial of degree k therefore has k − 1 roundings, a relative error below (k − 1)·2⁻²⁴ short of underflow. If it
/// overflows, it is infinite and its row is dropped.
///
/// The columns have the units of x, x², …: map the coordinates close to [−1, 1] (for instance with
/// [`Bounds`](super::Bounds)), or scale the columns with a [`ColumnScaler`](super::ColumnScaler).
///
/// ```
/// use osculate::features::{FeatureMap, Polynomial};
/// let quadratic = Polynomial::<2, 2, 6>::new();
/// assert_eq!(quadratic.features(&[3.0, 5.0]), Ok([1.0, 3.0, 5.0, 9.0, 15.0, 25.0]));
/// ```
///
/// A wrong number of features does not compile:
///
/// ```compile_fail,E0080
/// let quadratic = osculate::features::Polynomial::<2, 2, 5>::new();
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Polynomial<const D: usize, const DEGREE: usize, const N: usize>(());

impl<const D: usize, const DEGREE: usize, const N: usize> Polynomial<D, DEGREE, N> {
    /// The map. `D` and `DEGREE` must be at least 1.
    pub const fn new() -> Self {
        const {
            assert!(D >= 1 && DEGREE >= 1, "a polynomial has at least one coordinate and degree 1");
            assert!(N == monomials(D, DEGREE), "N must be (D + DEGREE choose DEGREE)");
        }
        Self(())
    }
}

impl<const D: usize, const DEGREE: usize, const N: usize> Default for Polynomial<D, DEGREE, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize, const DEGREE: usize, const N: usize> FeatureMap<N> for Polynomial<D, DEGREE, N> {
    type Observation = [f32; D];

    fn features(&self, coordinates: &[f32; D]) -> Result<[f32; N], RowError> {
        finite(coordinates)?;
        let mut phi = [1.0; N];
        // Start, within the block of the last degree, of the words whose first letter is d or later.
        let mut begins = [0; D];
        let mut next = 1;
        for _ in 0..DEGREE {
            let block_end = next;
            for (x, begin) in coordinates.iter().zip(&mut begins) {
                let rest = *begin..block_end;
                *begin = next;
                for word in rest {
                    // N is the number of words, so both are there. The compiler cannot know, and would keep a panic.
                    let longer = x * phi.get(word).copied().unwrap_or_default();
                    if let Some(place) = phi.get_mut(next) {
                        *place = longer;
                    }
                    next += 1;
                }
            }
        }
        Ok(phi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        assert_eq!([monomials(1, 7), monomials(4, 3), monomials(6, 1), monomials(5, 0)], [8, 35, 7, 1]);
        assert!(monomials(usize::MAX, 3) > usize::MAX / 4);
    }

    #[test]
    fn one_coordinate_gives_powers() {
        assert_eq!(Polynomial::<1, 4, 5>::new().features(&[-2.0]), Ok([1.0, -2.0, 4.0, -8.0, 16.0]));
    }

    #[test]
    fn what_is_not_finite_gives_nothing() {
        assert_eq!(Polynomial::<2, 1, 3>::new().features(&[0.0, f32::INFINITY]), Err(RowError::NonFiniteFeature));
        assert_eq!(Polynomial::<1, 2, 3>::new().features(&[1e20]), Ok([1.0, 1e20, f32::INFINITY]));
    }
}
