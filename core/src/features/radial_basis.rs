//! Gaussians around centres.

use super::transcendental::exp;
use super::{FeatureMap, MapError, all_finite, finite};
use crate::arithmetic::RowError;

/// exp(−½ Σ_d ((x_d − centre_d)/width_d)²) for each of `C` centres, in order.
///
/// With `N` = `C` these are all features. With `N` = `C` + 1 a constant 1 comes first, so that there is something to
/// learn where all Gaussians vanish (an all-zero row is dropped). Centres and widths have the units of the coordinates.
/// Neighbouring centres should be one to two widths apart: if they are closer, the columns become nearly equal and
/// learning slows down.
///
/// Relative error: that of [`exp`](super::transcendental::exp()), plus (`D` + 6)·2⁻²⁴ times the exponent from the
/// rounding of the distance.
///
/// ```
/// use osculate::features::{FeatureMap, RadialBasis};
/// let map = RadialBasis::<1, 2, 3>::new([[0.0], [2.0]], [1.0]);
/// let [constant, left, right] = map.features(&[1.0])?;
/// assert_eq!((constant, left), (1.0, right));
/// assert!((left - 0.6065).abs() < 1e-2); // exp(−½)
/// # Ok::<(), osculate::RowError>(())
/// ```
///
/// A wrong number of features does not compile:
///
/// ```compile_fail,E0080
/// let map = osculate::features::RadialBasis::<1, 2, 4>::new([[0.0], [2.0]], [1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RadialBasis<const D: usize, const C: usize, const N: usize> {
    centres: [[f32; D]; C],
    inverse_widths: [f32; D],
    normalised: bool,
}

impl<const D: usize, const C: usize, const N: usize> RadialBasis<D, C, N> {
    /// Gaussians with the same widths around all centres, one width per coordinate.
    ///
    /// ```
    /// use osculate::features::{FeatureMap, RadialBasis};
    /// static MAP: RadialBasis<2, 3, 3> = RadialBasis::new([[0.0, 0.0], [0.5, 10.0], [1.0, 0.0]], [0.4, 8.0]);
    /// assert_eq!(MAP.features(&[0.5, 10.0]).unwrap()[1], 1.0); // at the centre itself
    /// ```
    ///
    /// # Panics
    /// If centres or widths are not finite or a width is not positive; in a constant that is an error of the compiler.
    #[track_caller]
    pub const fn new(centres: [[f32; D]; C], widths: [f32; D]) -> Self {
        match Self::try_new(centres, widths) {
            Ok(map) => map,
            Err(error) => panic!("{}", error.message()),
        }
    }

    /// The same for centres and widths that are known only at run time.
    ///
    /// # Errors
    /// [`MapError::Centre`] and [`MapError::Width`] if they are not finite or a width is not positive.
    ///
    /// ```
    /// use osculate::features::{MapError, RadialBasis};
    /// let width = 0.0; // from a command line
    /// assert_eq!(RadialBasis::<1, 1, 1>::try_new([[0.5]], [width]), Err(MapError::Width));
    /// ```
    pub const fn try_new(centres: [[f32; D]; C], widths: [f32; D]) -> Result<Self, MapError> {
        const {
            assert!(D >= 1 && C >= 1, "a radial basis has at least one coordinate and one centre");
            assert!(N == C || N == C + 1, "N must be the number of centres, or one more for a constant");
        }
        let mut j = 0;
        while j < C {
            if !all_finite(&centres[j]) {
                return Err(MapError::Centre);
            }
            j += 1;
        }
        let mut inverse_widths = [0.0; D];
        let mut d = 0;
        while d < D {
            inverse_widths[d] = 1.0 / widths[d];
            if !(widths[d] > 0.0 && widths[d].is_finite() && inverse_widths[d].is_finite()) {
                return Err(MapError::Width);
            }
            d += 1;
        }
        Ok(Self { centres, inverse_widths, normalised: false })
    }

    /// The same Gaussians, divided by their sum: they add up to 1 everywhere, even far from all centres. (Beyond 10¹⁹
    /// widths, where the squared distance overflows, they are NaN.)
    ///
    /// An additional constant feature would only repeat their sum: choose `N` = `C`.
    ///
    /// ```
    /// use osculate::features::{FeatureMap, RadialBasis};
    /// let map = RadialBasis::<1, 2, 2>::new([[0.0], [2.0]], [1.0]).normalised();
    /// assert_eq!(map.features(&[1.0]), Ok([0.5, 0.5]));
    /// assert_eq!(map.features(&[1e6]), Ok([0.0, 1.0]));
    /// ```
    #[must_use]
    pub const fn normalised(self) -> Self {
        Self { normalised: true, ..self }
    }

    /// ½ Σ_d ((x_d − centre_d)/width_d)² for each centre.
    fn exponents(&self, coordinates: &[f32; D]) -> [f32; C] {
        self.centres.each_ref().map(|centre| {
            let mut sum = 0.0;
            for ((x, centre), inverse_width) in coordinates.iter().zip(centre).zip(&self.inverse_widths) {
                let z = (x - centre) * inverse_width;
                sum += z * z;
            }
            0.5 * sum
        })
    }
}

impl<const D: usize, const C: usize, const N: usize> FeatureMap<N> for RadialBasis<D, C, N> {
    type Observation = [f32; D];

    fn features(&self, coordinates: &[f32; D]) -> Result<[f32; N], RowError> {
        finite(coordinates)?;
        let exponents = self.exponents(coordinates);
        let gaussians = if self.normalised {
            // Relative to the nearest centre, whose Gaussian becomes 1, the sum cannot vanish.
            let nearest = exponents.iter().fold(f32::INFINITY, |least, &e| least.min(e));
            let gaussians = exponents.map(|e| exp(nearest - e));
            let sum: f32 = gaussians.iter().sum();
            gaussians.map(|gaussian| gaussian / sum)
        } else {
            exponents.map(|e| exp(-e))
        };
        let constants = N.saturating_sub(C);
        Ok(core::array::from_fn(|i| match i.checked_sub(constants) {
            Some(centre) => gaussians[centre],
            None => 1.0,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Map = RadialBasis<2, 2, 3>;

    #[test]
    fn parameters_are_checked() {
        let centres = [[0.0, 0.0], [1.0, 1.0]];
        for width in [0.0, -1.0, f32::NAN, f32::INFINITY, f32::from_bits(1)] {
            assert_eq!(Map::try_new(centres, [1.0, width]), Err(MapError::Width), "{width}");
        }
        assert_eq!(Map::try_new([[0.0, 0.0], [f32::NAN, 1.0]], [1.0; 2]), Err(MapError::Centre));
    }

    #[test]
    fn far_away_and_nowhere() {
        let map = Map::new([[0.0, 0.0], [1.0, 1.0]], [1.0, 2.0]);
        assert_eq!(map.features(&[1e30, -1e30]), Ok([1.0, 0.0, 0.0]));
        for nowhere in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(map.features(&[0.0, nowhere]), Err(RowError::NonFiniteFeature));
            assert_eq!(map.normalised().features(&[nowhere, 0.0]), Err(RowError::NonFiniteFeature));
        }
    }
}
