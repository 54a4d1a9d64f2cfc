//! Chooses the heater's power, and learns from the evening.

use embedded_hal::i2c::I2c;
use embedded_io::{Read, Write};
use osculate::learn::{Learner, Space};
use osculate::{
    Agent, Arithmetic, ConfigError, Exploration, Log, LookAhead, Random, Stored, StoredConfig, Streaming,
    StreamingConfig,
};

use super::actuator::Heater;
use super::features::{Bowl, N};
use super::model::House;
use super::sensor::Thermometers;
use super::telemetry::{Evening, Step, Telemetry};
use super::{Failure, GAMMA, POWERS, reward};
use crate::choice::Rule;

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

/// How long evenings are: nobody knows beforehand when it is time for bed.
#[derive(Clone, Debug)]
pub struct Lengths(Random);

impl Lengths {
    /// The same seed gives the same lengths.
    pub const fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// Of the next evening: steps that are learned about, before those of the [`TAIL`].
    pub fn next_rows(&mut self) -> usize {
        ROWS / 2 + self.0.below(ROWS as u32 / 2 + 1) as usize
    }
}

/// The room as the agent meets it.
pub struct Room<'b, B: I2c, L, T> {
    /// What it feels.
    pub thermometers: Thermometers<'b, B>,
    /// What it does.
    pub heater: Heater<L>,
    /// What it tells.
    pub telemetry: T,
}

impl<B: I2c, L: Read + Write, T: Telemetry> Room<'_, B, L, T> {
    /// Learns for as many evenings as the settings say.
    ///
    /// # Errors
    /// [`Failure`] where it cannot go on; what was learned up to there has been told.
    pub fn learn<A: Arithmetic>(&mut self, settings: &Settings) -> Result<(), Failure> {
        match settings.rule {
            Rule::Streaming => self.learn_streaming::<A>(settings),
            _ => self.learn_stored::<A>(settings),
        }
    }

    #[inline(never)]
    fn learn_stored<A: Arithmetic>(&mut self, settings: &Settings) -> Result<(), Failure> {
        let mut log = Log::<A, N, STEPS, ROWS>::new();
        let config = StoredConfig { gamma: GAMMA, ..settings.rule.stored() };
        self.evenings(settings, Stored::new(config, &mut log))
    }

    #[inline(never)]
    fn learn_streaming<A: Arithmetic>(&mut self, settings: &Settings) -> Result<(), Failure> {
        let config = StreamingConfig { gamma: GAMMA, ..StreamingConfig::DEFAULT };
        self.evenings(settings, Streaming::<A, N>::new(config))
    }

    fn evenings<A, R>(&mut self, settings: &Settings, learner: Result<R, ConfigError>) -> Result<(), Failure>
    where
        A: Arithmetic,
        R: Learner<Space = Space<A, N>>,
    {
        let mut agent = Agent::new(learner?, LookAhead::new(House, Bowl), EXPLORATION, !settings.seed)?;
        let mut lengths = Lengths::new(settings.seed);
        for _ in 0..settings.evenings {
            self.heater.begin()?;
            let mut reading = self.thermometers.read()?;
            let (rows, mut row, mut level) = (lengths.next_rows(), 0, agent.begin(&reading)?);
            for step in 1..=rows + TAIL {
                self.heater.heat(level)?;
                if step == rows {
                    agent.close_rows();
                }
                let Ok(now) = self.thermometers.read() else {
                    level = agent.missed();
                    continue;
                };
                let reward = reward(now.room, POWERS[level % POWERS.len()]);
                self.telemetry.step(&Step { row, reading, reward });
                reading = now;
                row += u16::from(step < rows);
                if step < rows + TAIL {
                    level = agent.step(reward, &reading)?;
                } else {
                    agent.last(reward);
                }
            }
            let episode = agent.end();
            let weights = agent.weights().map(|weight| A::bits(weight) as u32);
            self.telemetry.evening(&Evening::new(&episode, weights));
        }
        Ok(())
    }
}
