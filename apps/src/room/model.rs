//! What one step of heating is expected to do: a nominal room, not the one that is heated.

use osculate::features::FeatureMap;
use osculate::world::{Model, Transition};
use osculate::{Arithmetic, RowError, Scalar};

use super::agent::Moment;
use super::features::{Bowl, N};
use super::{POWERS, Reading, reward};

/// What a data sheet says of such a floor and such a room, per step of five minutes.
#[derive(Clone, Copy, Debug)]
pub struct House;

/// °C that a step at full power adds to the floor.
const HEATING: f32 = 0.42;
/// The share of the difference to the room that the floor loses.
const FLOOR_TO_ROOM: f32 = 0.0216;
/// The share of the difference to the floor that the room gains.
const ROOM_FROM_FLOOR: f32 = 0.077;
/// The share of the difference to the outside that the room loses.
const ROOM_TO_OUTSIDE: f32 = 0.0257;

impl House {
    /// The readings after one more step.
    pub fn next(&self, reading: &Reading, power: f32) -> Reading {
        let Reading { room, floor, outside } = *reading;
        Reading {
            room: room + (ROOM_FROM_FLOOR * (floor - room) - ROOM_TO_OUTSIDE * (room - outside)),
            floor: floor + (HEATING * power - FLOOR_TO_ROOM * (floor - room)),
            outside,
        }
    }
}

impl<A: Arithmetic> Model<A, N> for House {
    type State = Moment;

    fn actions(&self, _: &Moment) -> usize {
        POWERS.len()
    }

    fn outcomes(
        &self,
        moment: &Moment,
        action: usize,
    ) -> impl Iterator<Item = (A::Scalar, Transition<A::Target, Moment>)> {
        let power = POWERS[action % POWERS.len()];
        let reading = self.next(&moment.reading, power);
        let reward = A::target(reward(reading.room, power));
        let certain = reward.map(|reward| Transition { reward, next: Some(Moment { reading, ..*moment }) });
        certain.ok().map(|transition| (A::Scalar::ONE, transition)).into_iter()
    }

    fn features(&self, moment: &Moment) -> Result<A::Features<N>, RowError> {
        Bowl.encode::<A>(&moment.reading)
    }
}
