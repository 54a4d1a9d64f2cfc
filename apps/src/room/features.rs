//! From a reading to φ.

use osculate::RowError;
use osculate::features::{FeatureMap, Polynomial, monomials};

use super::{Reading, SET_POINT};

/// Features.
pub const N: usize = monomials(3, 2);

/// A bowl with an edge: all monomials up to degree 2 of room error, floor surplus and weather except weather², plus
/// |error + surplus|.
///
/// A value is the cost to come. It rises on both sides of the best floor for a room and a weather, which a square follows
/// well where it matters; farther away the cost grows like the error itself, and the warm side takes longer to come back
/// from, which a square alone would get wrong in between.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bowl;

/// °C of the floor above the room, per °C of the room above the outside, that hold a nominal room where it is.
const HOLDING: f32 = 1.0 / 3.0;

impl FeatureMap<N> for Bowl {
    type Observation = Reading;

    fn features(&self, reading: &Reading) -> Result<[f32; N], RowError> {
        let error = 2.0 * (reading.room - SET_POINT);
        let surplus = ((reading.floor - SET_POINT) - HOLDING * (SET_POINT - reading.outside)) / 3.0;
        let weather = (reading.outside - 2.0) / 8.0;
        let mut features = Polynomial::<3, 2, N>::new().features(&[error, surplus, weather])?;
        // The square of the weather comes last. What the weather costs is the same whatever is done about it.
        features[N - 1] = (error + surplus).abs();
        Ok(features)
    }
}
