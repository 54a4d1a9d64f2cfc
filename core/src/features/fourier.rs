//! Cosines of all frequencies.

use super::transcendental::cos_pi;
use super::{Bounds, FeatureMap};
use crate::arithmetic::RowError;

/// cos(π c·u) for every vector c of integers from 0 to `ORDER`: `N` = (`ORDER` + 1)^`D` features.
///
/// u are the coordinates, mapped from their bounds to [0, 1]. Outside the bounds the features continue as mirror
/// images.
///
/// **Order**: c counts like a number with `D` digits, the last coordinate varying fastest. For two coordinates and
/// order 1:
/// c = (0, 0), (0, 1), (1, 0), (1, 1). The first feature is the constant 1.
///
/// Absolute error within the bounds: that of [`cos_pi`], plus π·(`D` + 3)·2⁻²⁴ times c·u from the rounding of u.
///
/// Each feature costs a cosine: see [`transcendental`](super::transcendental) for when that is expensive.
///
/// ```
/// use osculate::features::{Bounds, FeatureMap, Fourier};
/// let map = Fourier::<2, 1, 4>::new(Bounds::UNIT);
/// assert_eq!(map.features(&[1.0, 0.0]), Ok([1.0, 1.0, -1.0, -1.0]));
/// ```
///
/// A wrong number of features does not compile:
///
/// ```compile_fail,E0080
/// # use osculate::features::{Bounds, Fourier};
/// let map = Fourier::<2, 1, 3>::new(Bounds::UNIT);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fourier<const D: usize, const ORDER: usize, const N: usize> {
    bounds: Bounds<D>,
}

impl<const D: usize, const ORDER: usize, const N: usize> Fourier<D, ORDER, N> {
    /// The cosine basis on a box.
    pub const fn new(bounds: Bounds<D>) -> Self {
        const {
            assert!(D >= 1 && ORDER >= 1, "a Fourier basis has at least one coordinate and order 1");
            assert!(N == (ORDER + 1).saturating_pow(D as u32), "N must be (ORDER + 1)^D");
        }
        Self { bounds }
    }

    /// c·u for a feature; c is given by its digits.
    fn half_turns(feature: usize, unit_coordinates: &[f32; D]) -> f32 {
        let (mut digits, mut sum) = (feature, 0.0);
        for u in unit_coordinates.iter().rev() {
            sum += (digits % (ORDER + 1)) as f32 * u;
            digits /= ORDER + 1;
        }
        sum
    }
}

impl<const D: usize, const ORDER: usize, const N: usize> FeatureMap<N> for Fourier<D, ORDER, N> {
    type Observation = [f32; D];

    fn features(&self, coordinates: &[f32; D]) -> Result<[f32; N], RowError> {
        let unit = self.bounds.finite_unit_coordinates(coordinates)?;
        Ok(core::array::from_fn(|feature| cos_pi(Self::half_turns(feature, &unit))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_count_with_the_last_coordinate_fastest() {
        let sums: [f32; 9] = core::array::from_fn(|i| Fourier::<2, 2, 9>::half_turns(i, &[10.0, 1.0]));
        assert_eq!(sums, [0.0, 1.0, 2.0, 10.0, 11.0, 12.0, 20.0, 21.0, 22.0]);
    }

    #[test]
    fn mirror_images_outside_of_the_bounds() {
        let map = Fourier::<1, 5, 6>::new(Bounds::UNIT);
        assert_eq!(map.features(&[0.25]), map.features(&[-0.25]));
        assert_eq!(map.features(&[0.75]), map.features(&[1.25]));
        assert_eq!(map.features(&[0.75]), map.features(&[-1024.75]));
    }

    #[test]
    fn what_is_not_finite_gives_nothing() {
        let map = Fourier::<2, 1, 4>::new(Bounds::UNIT);
        assert_eq!(map.features(&[f32::NAN, 0.0]), Err(RowError::NonFiniteFeature));
        assert_eq!(map.features(&[0.0, f32::INFINITY]), Err(RowError::NonFiniteFeature));
    }
}
