//! From a reading to φ.

use osculate::features::{FeatureMap, Polynomial, monomials};

use super::{Reading, SET_POINT};

/// Features.
pub const N: usize = monomials(3, 2);

/// All monomials up to degree 2 in the room's error, the floor's surplus and the weather, each in units of its usual range.
///
/// A value is the cost to come, and it rises on both sides of the best floor for a room and a weather: a bowl, of which the
/// bottom is near the floor that a nominal room would need to stay as it should be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bowl;

/// °C of the floor above the room, per °C of the room above the outside, that hold the room where it is.
const HOLDING: f32 = 1.0 / 3.0;

impl FeatureMap<N> for Bowl {
    type Observation = Reading;

    fn features(&self, reading: &Reading) -> [f32; N] {
        let error = reading.room - SET_POINT;
        let surplus = (reading.floor - SET_POINT) - HOLDING * (SET_POINT - reading.outside);
        let weather = reading.outside - 2.0;
        Polynomial::<3, 2, N>::new().features(&[3.0 * error, surplus / 3.0, weather / 8.0])
    }
}
