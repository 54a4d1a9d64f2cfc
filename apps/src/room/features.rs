//! From a reading to φ.

use osculate::RowError;
use osculate::features::{FeatureMap, Polynomial, monomials};

use super::{Reading, SET_POINT};

/// The number of features.
pub const N: usize = monomials(3, 2);

/// A bowl with an edge: all monomials up to degree 2 of room error, floor surplus and weather except weather², plus
/// |error + surplus|.
///
/// A value is the cost to come. It rises on both sides of the best floor temperature for a given room and weather, and
/// a square fits that well near the optimum. Farther away the cost grows linearly with the error, and it takes longer
/// to recover from the warm side, which a square alone would get wrong in between.
#[derive(Clone, Copy, Debug)]
pub struct Bowl {
    /// The floor's surplus over the room, per °C of the room above the outside, that holds the room's temperature.
    pub holding: f32,
}

/// The least and the largest holding surplus that a house may have.
const LEAST: f32 = 0.05;
const MOST: f32 = 2.0;

impl Bowl {
    /// With the data sheet's holding surplus.
    pub const fn of_data_sheet() -> Self {
        Self { holding: 1.0 / 3.0 }
    }

    /// With this holding surplus, if there can be such a house.
    pub(super) fn with_holding(holding: f32) -> Option<Self> {
        (LEAST..=MOST).contains(&holding).then_some(Self { holding })
    }

    /// Follows what the model has learned after an evening, counted from 1: half of the way in the first ten, then a
    /// tenth, because moving the features moves all values; but half again where they are far apart, as after a carpet:
    /// that is as good in the long run, and recovers twice as fast.
    pub fn follow(&mut self, holding: f32, evening: u32) {
        let away = holding.clamp(LEAST, MOST) - self.holding;
        let share = if evening <= 10 || away.abs() > 0.15 * self.holding { 0.5 } else { 0.1 };
        self.holding += share * away;
    }
}

impl FeatureMap<N> for Bowl {
    type Observation = Reading;

    fn features(&self, reading: &Reading) -> Result<[f32; N], RowError> {
        let error = 2.0 * (reading.room - SET_POINT);
        let surplus = ((reading.floor - SET_POINT) - self.holding * (SET_POINT - reading.outside)) / 3.0;
        let weather = (reading.outside - 2.0) / 8.0;
        let mut features = Polynomial::<3, 2, N>::new().features(&[error, surplus, weather])?;
        // Weather² comes last and is replaced. The cost of the weather is the same whatever the agent does.
        features[N - 1] = (error + surplus).abs();
        Ok(features)
    }
}
