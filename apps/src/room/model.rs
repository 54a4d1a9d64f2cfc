//! The expected effect of one step of heating: the data sheet's at first, then what the thermometers say.

use osculate::{Branch, LinearModel, Model, StateError};

use super::{POWERS, Reading, reward};

/// A house as the agent knows it, per step of five minutes. The changes of floor and room are linear in the heater's
/// power, floor − room, outside − room, and a constant.
#[derive(Clone, Copy, Debug)]
pub struct House(LinearModel<4, 2>);

/// The data sheet's house. At full power a step adds 0.42 °C to the floor. The floor loses 2.16 % of its surplus over
/// the room; the room gains 7.7 % of it, and loses 2.57 % of its own surplus over the outside.
const DATA_SHEET: [[f32; 4]; 2] = [[0.42, -0.0216 * SURPLUS, 0.0, 0.0], [0.0, 0.077 * SURPLUS, 0.0257 * OUTSIDE, 0.0]];

/// °C between floor and room, and between room and outside, that make an input of 1: the row update learns best from
/// inputs of similar size.
const SURPLUS: f32 = 8.0;
const OUTSIDE: f32 = 20.0;
/// The constant: what the other three do not explain is small.
const REST: f32 = 0.25;

impl House {
    /// Nothing read yet.
    pub const fn of_data_sheet() -> Self {
        Self(LinearModel::from_weights(DATA_SHEET))
    }

    /// The readings after a step.
    pub fn after(&self, reading: &Reading, level: usize) -> Reading {
        let [floor, room] = self.0.predict(&inputs(reading, level));
        Reading { room: reading.room + room, floor: reading.floor + floor, outside: reading.outside }
    }

    /// Learns from a step: what was read before it and after it.
    pub fn learn(&mut self, before: &Reading, level: usize, after: &Reading) {
        let changes = [after.floor - before.floor, after.room - before.room];
        // Readings of thermometers are finite; a row that is not would change nothing.
        _ = self.0.learn(&inputs(before, level), &changes);
    }

    /// The surplus of the floor over the room, per °C of the room above the outside, that holds the room's temperature.
    /// `None` before it makes sense.
    pub fn holding(&self) -> Option<f32> {
        let [_, [_, surplus, outside, _]] = self.0.weights();
        let holding = (outside / OUTSIDE) / (surplus / SURPLUS);
        (holding > 0.0 && holding.is_finite()).then_some(holding)
    }

    /// The number of bytes that [`save`](Self::save) writes.
    pub const BYTES: usize = LinearModel::<4, 2>::BYTES;

    /// Writes what is learned to bytes. Returns their number.
    ///
    /// # Errors
    /// [`StateError::NoRoom`] if the buffer is shorter than [`BYTES`](Self::BYTES).
    pub fn save(&self, bytes: &mut [u8]) -> Result<usize, StateError> {
        self.0.save(bytes)
    }

    /// Continues from what was [saved](Self::save).
    ///
    /// # Errors
    /// [`StateError`] says why the bytes were refused; nothing has changed then.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        self.0.restore(bytes)
    }

    /// The weights of floor and room.
    pub fn weights(&self) -> &[[f32; 4]; 2] {
        self.0.weights()
    }
}

fn inputs(reading: &Reading, level: usize) -> [f32; 4] {
    let Reading { room, floor, outside } = *reading;
    [POWERS[level % POWERS.len()], (floor - room) / SURPLUS, (outside - room) / OUTSIDE, REST]
}

impl Model for House {
    type State = Reading;

    fn actions(&self, _: &Reading) -> usize {
        POWERS.len()
    }

    fn outcomes(&self, reading: &Reading, action: usize) -> impl Iterator<Item = Branch<Reading>> {
        let next = self.after(reading, action);
        let reward = reward(next.room, POWERS[action % POWERS.len()]);
        core::iter::once(Branch { probability: 1.0, reward, next: Some(next) })
    }
}
