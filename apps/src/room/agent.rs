//! Chooses the heater's power, and learns from the evening.

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

/// Steps of an evening that are learned about: between half of them and all.
pub const ROWS: usize = 64;
/// Steps after that, which complete the returns: after 32 steps a reward counts less than a fifth (0.95³²).
pub const TAIL: usize = 32;
/// Steps of an evening, at the most.
pub const STEPS: usize = ROWS + TAIL;
/// From one random action in four on.
const EXPLORATION: Exploration = Exploration { start: 0.25, half_after: 8 };

/// What an agent is told before its first evening.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Of the random actions and of the evenings' lengths.
    pub seed: u64,
    /// How many evenings to learn for.
    pub evenings: u32,
    /// How the step size is found.
    pub rule: Rule,
}

/// Steps of the next evening that are learned about, before those of the [`TAIL`]: nobody knows beforehand when it is time
/// for bed.
pub fn next_rows(random: &mut Random) -> usize {
    ROWS / 2 + random.below(ROWS as u32 / 2 + 1) as usize
}

/// The room as the agent meets it.
pub struct Room<'b, B: I2c, L, T> {
    /// What it feels.
    pub thermometers: Thermometers<'b, B>,
    /// The line to the heater.
    pub line: L,
    /// Hears what there is to tell.
    pub tell: T,
}

impl<B: I2c, L: Read + Write, T: FnMut(&Message)> Room<'_, B, L, T> {
    /// Learns for as many evenings as the settings say.
    ///
    /// # Errors
    /// [`Failure`](crate::failure::Failure) where it cannot go on; what was learned up to there has been told.
    pub fn learn<A: Arithmetic>(&mut self, settings: &Settings) -> Result<()> {
        if settings.rule != Rule::Streaming {
            return self.learn_stored::<A>(settings);
        }
        let config = StreamingConfig { gamma: GAMMA, ..StreamingConfig::DEFAULT };
        self.evenings(settings, Streaming::<A, N>::new(config)?)
    }

    // By itself, so that there is no log on the stack where none is needed.
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
