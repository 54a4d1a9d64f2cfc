//! Chooses the heater's power and learns from the evening.

use embedded_hal::i2c::I2c;
use embedded_io::{Read, Write};
use osculate::features::FeatureMap;
use osculate::learn::{Learner, Space};
use osculate::{
    Agent, Arithmetic, Episode, Exploration, Log, LookAhead, Random, Stored, StoredConfig, Streaming, StreamingConfig,
};

use super::features::{Bowl, N};
use super::model::House;
use super::sensor::Thermometers;
use super::telemetry::{Evening, Recorded};
use super::{GAMMA, POWERS, reward};
use crate::choice::Rule;
use crate::failure::Result;
use crate::line::{Request, exchange};
use crate::message::Message;

/// The maximum number of steps of an evening that become rows; the minimum is half of it.
pub const ROWS: usize = 64;
/// The steps after that, which complete the returns: after 32 steps a reward counts less than a fifth (0.95³²).
pub const TAIL: usize = 32;
/// The maximum number of steps of an evening.
pub const STEPS: usize = ROWS + TAIL;
/// Starts with one random action in four.
const EXPLORATION: Exploration = Exploration { start: 0.25, half_after: 8 };

/// An agent's settings.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The seed of the random actions and of the evenings' lengths.
    pub seed: u64,
    /// The number of evenings to learn for.
    pub evenings: u32,
    /// The source of the step size.
    pub rule: Rule,
}

/// The number of steps of the next evening that become rows, before those of the [`TAIL`]: bedtime is not known in
/// advance.
pub fn next_rows(random: &mut Random) -> usize {
    ROWS / 2 + random.below(ROWS as u32 / 2 + 1) as usize
}

/// The agent's interface to the room.
pub struct Room<'b, B: I2c, L, T> {
    /// The sensors.
    pub thermometers: Thermometers<'b, B>,
    /// The line to the heater.
    pub line: L,
    /// Receives the reports.
    pub tell: T,
}

impl<B: I2c, L: Read + Write, T: FnMut(&Message)> Room<'_, B, L, T> {
    /// Learns for the number of evenings in the settings.
    ///
    /// # Errors
    /// [`Failure`](crate::failure::Failure) if it cannot continue; everything learned so far has been reported.
    pub fn learn<A: Arithmetic>(&mut self, settings: &Settings) -> Result<()> {
        if settings.rule != Rule::Streaming {
            return self.learn_stored::<A>(settings);
        }
        let config = StreamingConfig { gamma: GAMMA, ..StreamingConfig::DEFAULT };
        self.evenings(settings, Streaming::<A, N>::new(config)?)
    }

    // Not inlined, so that the stack holds no log if none is needed.
    #[inline(never)]
    fn learn_stored<A: Arithmetic>(&mut self, settings: &Settings) -> Result<()> {
        let mut log = Log::<A, N, STEPS, ROWS>::new();
        let config = StoredConfig { gamma: GAMMA, ..settings.rule.stored() };
        self.evenings(settings, Stored::new(config, &mut log)?)
    }

    fn evenings<A: Arithmetic>(&mut self, settings: &Settings, rule: impl Learner<Space = Space<A, N>>) -> Result<()> {
        let mut agent = Agent::new(rule, LookAhead::new(House, Bowl), EXPLORATION, !settings.seed)?;
        let mut random = Random::new(settings.seed);
        for _ in 0..settings.evenings {
            exchange(&mut self.line, Request::Begin)?;
            let mut reading = self.thermometers.read()?;
            let (rows, mut row, mut level) = (next_rows(&mut random), 0, agent.begin(&reading)?);
            for step in 1..=rows + TAIL {
                exchange(&mut self.line, Request::Heat(level as u8))?;
                if step == rows {
                    agent.close_rows();
                }
                let Ok(now) = self.thermometers.read() else {
                    level = agent.missed();
                    continue;
                };
                let reward = reward(now.room, POWERS[level % POWERS.len()]);
                (self.tell)(&Message::Step(Recorded { row, reward, features: Bowl.features(&reading)? }));
                reading = now;
                row += u16::from(step < rows);
                if step < rows + TAIL {
                    level = agent.step(reward, &reading)?;
                } else {
                    agent.last(reward);
                }
            }
            let Episode { steps, explored, missed: silences, update, .. } = agent.end();
            let (steps, update) = (steps + silences, update.into());
            let weights = agent.weights().map(|weight| A::bits(weight) as u32);
            (self.tell)(&Message::Evening(Evening { steps, explored, silences, update, weights }));
        }
        Ok(())
    }
}
