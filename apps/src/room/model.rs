//! The expected effect of one step of heating: a nominal room, not the one that is heated.

use osculate::{Likely, Model};

use super::{POWERS, Reading, reward};

/// Data-sheet values for such a floor and such a room, per step of five minutes.
#[derive(Clone, Copy, Debug)]
pub struct House;

/// °C that a step at full power adds to the floor.
const HEATING: f32 = 0.42;
/// The fraction of the difference to the room that the floor loses.
const FLOOR_TO_ROOM: f32 = 0.0216;
/// The fraction of the difference to the floor that the room gains.
const ROOM_FROM_FLOOR: f32 = 0.077;
/// The fraction of the difference to the outside that the room loses.
const ROOM_TO_OUTSIDE: f32 = 0.0257;

impl Model for House {
    type State = Reading;

    fn actions(&self, _: &Reading) -> usize {
        POWERS.len()
    }

    fn outcomes(&self, reading: &Reading, action: usize) -> impl Iterator<Item = Likely<Reading>> {
        let (Reading { room, floor, outside }, power) = (*reading, POWERS[action % POWERS.len()]);
        let next = Reading {
            room: room + (ROOM_FROM_FLOOR * (floor - room) - ROOM_TO_OUTSIDE * (room - outside)),
            floor: floor + (HEATING * power - FLOOR_TO_ROOM * (floor - room)),
            outside,
        };
        core::iter::once(Likely { probability: 1.0, reward: reward(next.room, power), next: Some(next) })
    }
}
