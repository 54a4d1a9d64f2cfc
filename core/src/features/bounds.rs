//! The box that contains the coordinates.

use super::{MapError, finite};
use crate::arithmetic::RowError;

/// The box [low, high] in d coordinates, each in its own units, and its mapping to [0, 1]ᵈ.
///
/// ```
/// use osculate::features::Bounds;
/// // An angle in radians and a speed in metres per second.
/// const PENDULUM: Bounds<2> = Bounds::new([-3.0, -8.0], [3.0, 8.0]);
/// assert_eq!(PENDULUM.unit_coordinates(&[0.0, 8.0]), [0.5, 1.0]);
/// assert!(PENDULUM.contain(&[3.0, 0.0]) && !PENDULUM.contain(&[3.1, 0.0]));
/// ```
///
/// In a constant, an error is one of the compiler's:
///
/// ```compile_fail,E0080
/// # use osculate::features::Bounds;
/// const ROOM: Bounds<1> = Bounds::new([60.0], [-20.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds<const D: usize> {
    low: [f32; D],
    high: [f32; D],
}

impl<const D: usize> Bounds<D> {
    /// [0, 1]ᵈ: coordinates that need no scaling.
    ///
    /// ```
    /// use osculate::features::Bounds;
    /// assert_eq!(Bounds::<2>::UNIT.unit_coordinates(&[0.25, 0.75]), [0.25, 0.75]);
    /// ```
    pub const UNIT: Self = Self { low: [0.0; D], high: [1.0; D] };

    /// The box from `low` to `high`.
    ///
    /// # Panics
    /// If low < high does not hold, or if a bound or the distance between two is not finite.
    #[track_caller]
    pub const fn new(low: [f32; D], high: [f32; D]) -> Self {
        match Self::try_new(low, high) {
            Ok(bounds) => bounds,
            Err(error) => panic!("{}", error.message()),
        }
    }

    /// The box from `low` to `high`, which are known only at run time.
    ///
    /// # Errors
    /// [`MapError::Bounds`] if low < high does not hold, or if a bound or the distance between two is not finite.
    ///
    /// ```
    /// use osculate::features::{Bounds, MapError};
    /// let readings = [19.0, 21.5, 20.0_f32];
    /// let range = |ends: [f32; 2]| Bounds::try_new([ends[0]], [ends[1]]);
    /// assert_eq!(range([readings[0], readings[1]])?.unit_coordinates(&[20.25]), [0.5]);
    /// assert_eq!(range([readings[0]; 2]), Err(MapError::Bounds));
    /// # Ok::<(), MapError>(())
    /// ```
    pub const fn try_new(low: [f32; D], high: [f32; D]) -> Result<Self, MapError> {
        let mut d = 0;
        while d < D {
            // A finite distance has finite ends, and NaN is not positive.
            let span = high[d] - low[d];
            if !(span > 0.0 && span.is_finite()) {
                return Err(MapError::Bounds);
            }
            d += 1;
        }
        Ok(Self { low, high })
    }

    /// Whether the coordinates lie in the box, ends included. False for NaN.
    pub fn contain(&self, coordinates: &[f32; D]) -> bool {
        let ends = self.low.iter().zip(&self.high);
        coordinates.iter().zip(ends).all(|(x, (low, high))| low <= x && x <= high)
    }

    /// (x − low)/(high − low): three roundings, exact at both ends, monotone, and not clamped outside the box.
    ///
    /// If a coordinate is not finite, neither is its result.
    pub fn unit_coordinates(&self, coordinates: &[f32; D]) -> [f32; D] {
        core::array::from_fn(|d| (coordinates[d] - self.low[d]) / (self.high[d] - self.low[d]))
    }

    /// [`unit_coordinates`](Self::unit_coordinates) of finite coordinates.
    pub(super) fn finite_unit_coordinates(&self, coordinates: &[f32; D]) -> Result<[f32; D], RowError> {
        Ok(self.unit_coordinates(finite(coordinates)?))
    }
}
