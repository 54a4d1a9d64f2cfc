//! Chooses the heater's power and learns from the evening.

use embedded_hal::i2c::I2c;
use embedded_io::{Read, Write};
use osculate::features::FeatureMap;
use osculate::learn::{Learner, Space};
use osculate::{
    Agent, Arithmetic, Episode, Exploration, Log, LookAhead, Random, Stored, StoredConfig, Streaming, StreamingConfig,
    Tracking, TrackingConfig,
};

use super::features::{Bowl, N};
use super::model::House;
use super::sensor::Thermometers;
use super::telemetry::{Evening, Known, Recorded};
use super::thermostat::Comfort;
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
/// One random action in four at first, and half of that after 8 evenings: a rule that learns from whole evenings sees
/// few of them.
const BOLD: Exploration = Exploration { start: 0.25, half_after: 8 };
/// One in twenty: a rule that learns at every step finds out by itself, and every try has its price.
const CAREFUL: Exploration = Exploration { start: 0.05, half_after: 8 };

/// An agent's settings.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The seed of the random actions and of the evenings' lengths.
    pub seed: u64,
    /// The number of evenings to learn for.
    pub evenings: u32,
    /// The learning rule.
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
        match settings.rule {
            Rule::Tracking => self.learn_tracking::<A>(settings),
            Rule::Streaming => self.learn_streaming::<A>(settings),
            Rule::Paper | Rule::Predictable | Rule::Plain => self.learn_stored::<A>(settings),
        }
    }

    // None of the three is inlined, so that the stack holds no other learner than its own.
    #[inline(never)]
    fn learn_tracking<A: Arithmetic>(&mut self, settings: &Settings) -> Result<()> {
        let config = TrackingConfig { gamma: GAMMA, ..TrackingConfig::CONTROL };
        self.evenings(settings, Tracking::<A, N>::new(config)?, CAREFUL)
    }

    #[inline(never)]
    fn learn_streaming<A: Arithmetic>(&mut self, settings: &Settings) -> Result<()> {
        let config = StreamingConfig { gamma: GAMMA, ..StreamingConfig::DEFAULT };
        self.evenings(settings, Streaming::<A, N>::new(config)?, BOLD)
    }

    #[inline(never)]
    fn learn_stored<A: Arithmetic>(&mut self, settings: &Settings) -> Result<()> {
        let mut log = Log::<A, N, STEPS, ROWS>::new();
        let config = StoredConfig { gamma: GAMMA, ..settings.rule.stored() };
        self.evenings(settings, Stored::new(config, &mut log)?, BOLD)
    }

    fn evenings<A: Arithmetic>(
        &mut self,
        settings: &Settings,
        learner: impl Learner<Space = Space<A, N>>,
        exploration: Exploration,
    ) -> Result<()> {
        let episodic = settings.rule.is_episodic();
        let policy = LookAhead::new(House::of_data_sheet(), Bowl::of_data_sheet()).within(Comfort);
        let mut agent = Agent::new(learner, policy, exploration, !settings.seed)?;
        let mut random = Random::new(settings.seed);
        for evening in 1..=settings.evenings {
            exchange(&mut self.line, Request::Begin)?;
            self.thermometers.begin();
            let mut reading = self.thermometers.read()?;
            let (rows, mut row, mut level) = (next_rows(&mut random), 0, agent.begin(&reading)?);
            let mut fresh = true;
            for step in 1..=rows + TAIL {
                exchange(&mut self.line, Request::Heat(level as u8))?;
                if step == rows && episodic {
                    agent.close_rows();
                }
                let Ok(now) = self.thermometers.read() else {
                    level = agent.missed();
                    fresh = false;
                    continue;
                };
                // Readings that are two steps apart tell nothing about one.
                if core::mem::replace(&mut fresh, true) {
                    agent.model_mut().learn(&reading, level, &now);
                }
                let reward = reward(now.room, POWERS[level % POWERS.len()]);
                let features = agent.map().features(&reading)?;
                (self.tell)(&Message::Step(Recorded { row, reward, features }));
                reading = now;
                row += u16::from(step < rows || !episodic);
                if step < rows + TAIL {
                    level = agent.step(reward, &reading)?;
                } else {
                    agent.last(reward);
                }
            }
            let Episode { steps, explored, fallbacks, missed: silences, update, .. } =
                // The heating goes on after bedtime, but what the night does is not the agent's: its last value stands
                // for what is to come.
                if episodic { agent.end() } else { agent.cut(&reading) };
            if let Some(holding) = agent.model().holding() {
                agent.map_mut().follow(holding, evening);
            }
            (self.tell)(&Message::Known(Known { model: *agent.model().weights(), holding: agent.map().holding }));
            let (steps, update) = (steps + silences, update.into());
            let weights = agent.weights().map(|weight| A::bits(weight) as u32);
            (self.tell)(&Message::Evening(Evening { steps, explored, fallbacks, silences, update, weights }));
        }
        Ok(())
    }
}
