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

/// How far houses are from the data sheet that the agent's model starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Houses {
    /// Each of the five numbers within ± 10 %: the data sheet is right.
    Near,
    /// Each of them times .6 to 1.6, on a logarithmic scale: the data sheet is of another house.
    Wild,
}

impl Houses {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Near, Self::Wild];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Near => "near",
            Self::Wild => "wild",
        }
    }

    /// The house of a seed. None matches the agent's first model exactly.
    pub fn house(self, seed: u64) -> House {
        let mut dice = Random::new(seed ^ 0x4005_E000);
        let mut about = |value: f64| {
            let place = f64::from(dice.below(1 << 16)) / 65536.0;
            match self {
                Self::Near => value * (0.9 + 0.2 * place),
                Self::Wild => value * 0.6 * libm::exp(place * libm::log(1.6 / 0.6)),
            }
        };
        House {
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
    /// The kind of house.
    pub houses: Houses,
    /// Whether each evening begins anew, at temperatures and in weather of its own, instead of where the night before
    /// it ended.
    pub restarts: bool,
    /// The weather, if it was recorded.
    pub weather: Option<Arc<Recording>>,
    /// The evening, counted from 1, in which a window is open for half an hour.
    pub window_open: Option<u32>,
    /// The evening, counted from 1, from which on a carpet lies on the floor.
    pub carpet: Option<u32>,
}

impl Scene {
    /// A house near the data sheet, evenings that follow each other, synthetic weather, windows shut and a bare floor.
    pub fn new(seed: u64) -> Self {
        Self { seed, houses: Houses::Near, restarts: false, weather: None, window_open: None, carpet: None }
    }

    fn weather(&self, evening: u32) -> Weather {
        match &self.weather {
            Some(series) => Weather::recorded(series, evening),
            None if self.restarts => Weather::wave(self.seed, evening),
            None => Weather::wave_that_goes_on(self.seed, evening),
        }
    }
}

/// The fraction of the heat that a carpet lets through.
const CARPET: f64 = 0.6;
/// °C that the house's own thermostat holds, ±0.3 °C, while everybody sleeps or is out. Floors are slow: the usual
/// advice is to set them back by no more than some 2 °C.
const SET_BACK: f64 = 19.5;
/// Steps from the beginning of an evening to that of the next.
const DAY: u32 = 288;

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
    /// An evening, counted from 1, that begins anew. Every controller gets the same start, weather and noise.
    pub fn evening(scene: &Scene, evening: u32) -> Self {
        let mut dice = Random::new(scene.seed ^ (u64::from(evening) << 32) ^ 0x91A7);
        let mut between = |low: f64, high: f64| low + (high - low) * f64::from(dice.below(1 << 16)) / 65536.0;
        let weather = scene.weather(evening);
        // Between heated all day and half of that.
        let room = between(19.5, 21.5);
        let floor = room + between(0.5, 1.0) * (room - weather.at(0)) / 3.0;
        let mut house = scene.houses.house(scene.seed);
        if scene.carpet.is_some_and(|first| first <= evening) {
            house.coupling *= CARPET;
        }
        let window_opens = scene.window_open == Some(evening);
        Self { house, weather, dice, window_opens, step: 0, gain: 0.0, room, floor }
    }

    /// The next evening, at the temperatures that the night and the day before it leave.
    pub fn next_evening(&mut self, scene: &Scene, evening: u32) {
        self.sleep();
        let Self { room, floor, gain, .. } = *self;
        *self = Self { room, floor, gain, ..Self::evening(scene, evening) };
    }

    /// From bedtime to the next evening, under the house's own thermostat.
    fn sleep(&mut self) {
        let mut on = false;
        while self.step < DAY {
            on = if on { self.room < SET_BACK + 0.3 } else { self.room < SET_BACK - 0.3 };
            self.heat(on.into());
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(House { floor, room, coupling, loss, heater }: House) -> [f64; 5] {
        [floor / 2.5e6, room / 0.7e6, coupling / 180.0, loss / 60.0, heater / 3500.0]
    }

    #[test]
    fn houses_differ_from_the_data_sheet_as_far_as_their_kind_says() {
        for (kind, low, high) in [(Houses::Near, 0.9, 1.1), (Houses::Wild, 0.6, 1.6)] {
            let all: Vec<f64> = (0..2000).flat_map(|seed| numbers(kind.house(seed))).collect();
            assert!(all.iter().all(|factor| (low..high).contains(factor)));
            let (least, most) = all.iter().fold((9.0_f64, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
            assert!(least < low * 1.01 && most > high * 0.99, "{least} {most}");
            // As many below the middle as above it; of wild houses the middle is the geometric mean.
            let middle = if kind == Houses::Near { 1.0 } else { libm::sqrt(low * high) };
            let below = all.iter().filter(|factor| **factor < middle).count() as f64 / all.len() as f64;
            assert!((below - 0.5).abs() < 0.02, "{below}");
        }
    }

    #[test]
    fn an_evening_begins_where_the_night_has_left_the_room() {
        let scene = Scene::new(7);
        let after = |power: f64| {
            let mut plant = Plant::evening(&scene, 1);
            (0..80).for_each(|_| plant.heat(power));
            let bedtime = plant.clone();
            plant.next_evening(&scene, 2);
            (bedtime, plant)
        };
        let [(cold, from_cold), (hot, from_hot)] = [after(0.0), after(1.0)];
        assert!(cold.room < 18.0 && hot.room > 30.0);
        // The thermostat has warmed the one; the other has cooled down. What was done in the evening is not forgotten.
        for plant in [&from_cold, &from_hot] {
            assert!((SET_BACK - 1.0..SET_BACK + 2.0).contains(&plant.room), "{}", plant.room);
            assert_eq!((plant.step, plant.outside()), (0, Plant::evening(&scene, 2).outside()));
        }
        assert_ne!(from_cold.floor, from_hot.floor);
        assert_ne!(from_cold.room, Plant::evening(&scene, 2).room);
    }

    #[test]
    fn a_carpet_stays() {
        let scene = Scene { carpet: Some(3), ..Scene::new(7) };
        let coupling = |evening| Plant::evening(&scene, evening).house.coupling;
        assert_eq!(coupling(1), coupling(2));
        assert_eq!([coupling(3), coupling(9)], [0.6 * coupling(1); 2]);
    }
}
