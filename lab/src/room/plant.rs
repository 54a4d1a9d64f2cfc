//! Floor, room, losses, noise.

use std::ops::Range;
use std::sync::Arc;

use osculate::Random;

use super::weather::{Recording, Weather};

const SECONDS: f64 = 300.0;
const SUBSTEPS: u32 = 10;

/// The thermal parameters of a house.
#[derive(Clone, Copy, Debug)]
pub struct House {
    /// J/K of the floor.
    pub floor: f64,
    /// J/K of the room and its contents.
    pub room: f64,
    /// W/K from the floor to the room.
    pub coupling: f64,
    /// W/K from the room to the outside.
    pub loss: f64,
    /// W of the heater.
    pub heater: f64,
}

impl House {
    /// Every seed gives a different house, and none matches the agent's model exactly.
    pub fn of_seed(seed: u64) -> Self {
        let mut dice = Random::new(seed ^ 0x4005_E000);
        let mut about = |value: f64| value * (0.9 + 0.2 * f64::from(dice.below(1 << 16)) / 65536.0);
        Self {
            floor: about(2.5e6),
            room: about(0.7e6),
            coupling: about(180.0),
            loss: about(60.0),
            heater: about(3500.0),
        }
    }
}

/// Where and when: a house, its weather, and events.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Seed of the house, its weather and its noise.
    pub seed: u64,
    /// The weather, if it was recorded.
    pub weather: Option<Arc<Recording>>,
    /// The evening, counted from 1, in which a window is open for half an hour.
    pub window_open: Option<u32>,
}

impl Scene {
    /// With synthetic weather and the windows shut.
    pub fn new(seed: u64) -> Self {
        Self { seed, weather: None, window_open: None }
    }
}

/// The steps during which the window is open: three hours into the evening, for half an hour.
pub const WINDOW: Range<u32> = 36..42;

/// An evening in a house.
#[derive(Clone, Debug)]
pub struct Plant {
    house: House,
    weather: Weather,
    dice: Random,
    window_opens: bool,
    step: u32,
    gain: f64,
    /// °C of the room.
    pub room: f64,
    /// °C of the floor.
    pub floor: f64,
}

impl Plant {
    /// An evening, counted from 1. Every controller gets the same start, weather and noise.
    pub fn evening(scene: &Scene, evening: u32) -> Self {
        let mut dice = Random::new(scene.seed ^ (u64::from(evening) << 32) ^ 0x91A7);
        let mut between = |low: f64, high: f64| low + (high - low) * f64::from(dice.below(1 << 16)) / 65536.0;
        let weather = match &scene.weather {
            Some(series) => Weather::recorded(series, evening),
            None => Weather::wave(scene.seed, evening),
        };
        // Between heated all day and half of that.
        let room = between(19.5, 21.5);
        let floor = room + between(0.5, 1.0) * (room - weather.at(0)) / 3.0;
        let window_opens = scene.window_open == Some(evening);
        Self { house: House::of_seed(scene.seed), weather, dice, window_opens, step: 0, gain: 0.0, room, floor }
    }

    /// °C outside.
    pub fn outside(&self) -> f64 {
        self.weather.at(self.step)
    }

    /// Five minutes at this share of the heater's power.
    pub fn heat(&mut self, power: f64) {
        let House { floor, room, coupling, loss, heater } = self.house;
        let outside = self.outside();
        let loss = if self.window_opens && WINDOW.contains(&self.step) { 4.0 * loss } else { loss };
        // People, lamps and the sun come and go slowly.
        let draw = f64::from(self.dice.below(1 << 16)) / 32768.0 - 1.0;
        self.gain = 0.9 * self.gain + 60.0 * draw;
        let seconds = SECONDS / f64::from(SUBSTEPS);
        for _ in 0..SUBSTEPS {
            let to_room = coupling * (self.floor - self.room);
            let to_outside = loss * (self.room - outside);
            self.floor += seconds * (heater * power - to_room) / floor;
            self.room += seconds * (to_room - to_outside + self.gain) / room;
        }
        self.step += 1;
    }
}
