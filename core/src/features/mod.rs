//! Ready-made feature maps: from an observation to φ.
//!
//! | map | observation | φ | n |
//! | --- | --- | --- | --- |
//! | [`OneHot`] | a state's index | 1 at the index, 0 elsewhere: a table of values | number of states |
//! | [`TileCoding`] | d coordinates in a box | 1 at the active tile of every tiling, 0 elsewhere | tilings · tilesᵈ |
//! | [`Polynomial`] | d coordinates | all monomials up to a total degree | (d + degree choose degree) |
//! | [`RadialBasis`] | d coordinates | Gaussians around centres, optionally normalised or with a constant | centres (+ 1) |
//! | [`Fourier`] | d coordinates in a box | cos(π c·u) for every frequency c up to an order | (order + 1)ᵈ |
//!
//! A map is a plain value and needs no heap. Constructors are `const`, so a map can be a `static` in flash. The number
//! of features is checked at compile time. Features are computed in `f32` with + − × ÷ and the functions of
//! [`transcendental`], in a fixed order and without fused multiply-add, so that they are bit-exact on every target. A
//! learner then encodes them in its arithmetic and rounds each at most once.
//!
//! **Unmappable observations** (a NaN or infinite coordinate, a state or a position outside the map) give a
//! [`RowError`]: nothing is learned from them, and nothing else changes.
//!
//! **Columns.** The learner is invariant to the units of a *row* (φ, V), but not to those of a *column*: the relative
//! size of the features is a choice, and part of the map. [`ColumnScaler`] makes that choice from data, [`OnlineScaler`] while
//! learning.
//!
//! ```
//! use osculate::features::{Bounds, FeatureMap, Fourier};
//! use osculate::{Log, Predictor, Q28, Stored, StoredConfig};
//!
//! // Temperatures from −20 °C to 60 °C.
//! let map = Fourier::<1, 3, 4>::new(Bounds::new([-20.0], [60.0]));
//! let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<Q28, 4, 1, 8>::NEW));
//! for (temperature, value) in [(-20.0, 0.25), (20.0, 0.75), (60.0, 0.5)] {
//!     predictor.learn(value, &map.features(&[temperature])?)?;
//! }
//! assert_eq!(predictor.end().tau, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod bounds;
mod column_scaler;
mod error;
mod fourier;
mod one_hot;
mod online_scaler;
mod polynomial;
mod radial_basis;
mod tile_coding;
pub mod transcendental;

use crate::arithmetic::RowError;

pub use action::{ActionMap, PerAction};
pub use bounds::Bounds;
pub use column_scaler::{ColumnFactors, ColumnScaler, Scaled};
pub use error::MapError;
pub use fourier::Fourier;
pub use one_hot::OneHot;
pub use online_scaler::OnlineScaler;
#[doc(hidden)]
pub use online_scaler::Rescale;
pub use polynomial::{Polynomial, monomials};
pub use radial_basis::RadialBasis;
pub use tile_coding::TileCoding;

/// A function from observations to `N` features.
///
/// ```
/// use osculate::RowError;
/// use osculate::features::FeatureMap;
/// /// The battery voltage relative to the nominal 3.7 V, and its square.
/// struct Battery;
/// impl FeatureMap<3> for Battery {
///     type Observation = f32;
///     fn features(&self, volts: &f32) -> Result<[f32; 3], RowError> {
///         let x = volts - 3.7;
///         Ok([1.0, x, x * x])
///     }
/// }
/// assert_eq!(Battery.features(&3.7), Ok([1.0, 0.0, 0.0]));
/// ```
pub trait FeatureMap<const N: usize> {
    /// The application's observation: an index, coordinates, or its own type.
    type Observation: ?Sized;

    /// φ.
    ///
    /// # Errors
    /// [`RowError`] if the observation cannot be mapped.
    fn features(&self, observation: &Self::Observation) -> Result<[f32; N], RowError>;
}

/// Uses a map in flash by reference, without a copy in RAM.
impl<M: FeatureMap<N> + ?Sized, const N: usize> FeatureMap<N> for &M {
    type Observation = M::Observation;

    fn features(&self, observation: &M::Observation) -> Result<[f32; N], RowError> {
        M::features(self, observation)
    }
}

/// The coordinates, if all of them are finite.
fn finite<const D: usize>(coordinates: &[f32; D]) -> Result<&[f32; D], RowError> {
    if all_finite(coordinates) { Ok(coordinates) } else { Err(RowError::NonFiniteFeature) }
}

const fn all_finite<const D: usize>(coordinates: &[f32; D]) -> bool {
    let mut d = 0;
    while d < D {
        if !coordinates[d].is_finite() {
            return false;
        }
        d += 1;
    }
    true
}
