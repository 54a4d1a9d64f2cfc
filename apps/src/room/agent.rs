//! Chooses the heater's power, and learns from the evening.

use embedded_hal::i2c::I2c;
use embedded_io::{Read, Write};
use osculate::episodic::{Episodic, Logged, Streamed, Targets};
use osculate::policy::{LookAhead, Policy};
use osculate::random::below;
use osculate::schedule::Exploration;
use osculate::world::{Transition, World};
use osculate::{Arithmetic, ConfigError, Learner, LearnerConfig, Outcome, RowError, Sim, SimConfig};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;

use super::GAMMA;
use super::actuator::Heater;
use super::features::N;
use super::model::House;
use super::sensor::{Silent, Thermometers};
use super::telemetry::{Evening, Step, Telemetry};
use super::{POWERS, Reading, reward};
use crate::line::LineLost;

/// Steps of an evening that are learned about: between half of them and all.
pub const ROWS: usize = 64;
/// Steps after that, which complete the returns: after 32 steps a reward counts less than a fifth (0.95³²).
pub const TAIL: usize = 32;
/// Steps of an evening, at the most.
pub const STEPS: usize = ROWS + TAIL;

/// What the agent knows at a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// What the thermometers say.
    pub reading: Reading,
    /// Which row the step belongs to: one of its own while the evening is learned about, the last one afterwards.
    pub row: u16,
}

/// Why an agent had to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A thermometer was silent when an evening began.
    Silent,
    /// The heater's line is gone.
    LineLost,
    /// A parameter of the learner makes no sense.
    Config(ConfigError),
}

impl From<Silent> for Failure {
    fn from(_: Silent) -> Self {
        Self::Silent
    }
}

impl From<LineLost> for Failure {
    fn from(_: LineLost) -> Self {
        Self::LineLost
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

impl core::fmt::Display for Failure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Silent => f.write_str("a thermometer does not answer"),
            Self::LineLost => f.write_str("the line to the heater is gone"),
            Self::Config(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Failure {}

/// How the step size is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The paper's, with its parameters.
    Paper,
    /// The curvature of past evenings.
    Predictable,
    /// The same, without a log.
    Streaming,
}

impl Rule {
    /// The rules by their names.
    pub const NAMES: [(&str, Self); 3] =
        [("paper", Self::Paper), ("predictable", Self::Predictable), ("streaming", Self::Streaming)];

    /// The rule's name.
    pub fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|(_, rule)| *rule == self).map_or("", |(name, _)| name)
    }

    /// The rule of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, rule)| rule)
    }
}

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

/// The room as the agent meets it: thermometers, a heater, and telemetry.
pub struct Room<'b, B: I2c, L, T> {
    thermometers: Thermometers<'b, B>,
    heater: Heater<L>,
    telemetry: T,
    lengths: Lengths,
    moment: Moment,
    rows: u16,
    step: u16,
    silences: u32,
    failure: Option<Failure>,
}

impl<'b, B: I2c, L: Read + Write, T: Telemetry> Room<'b, B, L, T> {
    /// Before the first evening.
    pub fn new(thermometers: Thermometers<'b, B>, heater: Heater<L>, telemetry: T) -> Self {
        let reading = Reading { room: 0.0, floor: 0.0, outside: 0.0 };
        let moment = Moment { reading, row: 0 };
        let lengths = Lengths::new(0);
        Self { thermometers, heater, telemetry, lengths, moment, rows: 0, step: 0, silences: 0, failure: None }
    }

    /// Learns for as many evenings as the settings say.
    ///
    /// `bits` tells the bits of a weight, for the telemetry.
    ///
    /// # Errors
    /// [`Failure`] where it cannot go on; what was learned up to there has been told.
    pub fn learn<A>(&mut self, settings: &Settings, bits: fn(A::Weight) -> u32) -> Result<(), Failure>
    where
        A: Arithmetic<Scalar = f32, Target: PartialOrd>,
    {
        let stored = |config| {
            let learner = Learner::<A, N>::new(config)?;
            Logged::<A, u16, N, STEPS, ROWS>::new(learner, GAMMA, Targets::MonteCarlo)
        };
        match settings.rule {
            Rule::Paper => self.evenings(settings, || stored(LearnerConfig::default()), bits),
            Rule::Predictable => self.evenings(settings, || stored(LearnerConfig::predictable()), bits),
            Rule::Streaming => {
                let index = |row: &u16| u32::from(*row);
                let streamed = || Streamed::<A, u16, N, WORDS>::new(LearnerConfig::predictable(), GAMMA, index);
                self.evenings(settings, streamed, bits)
            }
        }
    }

    /// With a learner that is made here, so that the stack holds it once, and no other beside it.
    #[inline(never)]
    fn evenings<A, E>(
        &mut self,
        settings: &Settings,
        learner: impl FnOnce() -> Result<E, ConfigError>,
        bits: fn(A::Weight) -> u32,
    ) -> Result<(), Failure>
    where
        A: Arithmetic<Scalar = f32, Target: PartialOrd>,
        E: Episodic<A, u16, N>,
    {
        let mut sim = Sim::<A, E>::new(learner()?, SimConfig { exploration: EXPLORATION, max_steps: STEPS as u32 })?;
        self.lengths = Lengths::new(settings.seed);
        let mut random = Xoshiro128PlusPlus::seed_from_u64(!settings.seed);
        for _ in 0..settings.evenings {
            let outcome = sim.run_episode(&mut InFormat(self), &ByRow, &mut random);
            if let Some(failure) = self.failure.take() {
                return Err(failure);
            }
            let Outcome { tau, theta, g_norm, .. } = outcome.update;
            self.telemetry.evening(&Evening {
                steps: outcome.steps,
                explored: outcome.explored,
                silences: core::mem::take(&mut self.silences),
                tau,
                theta,
                g_norm,
                weights: sim.learner().weights().map(bits),
            });
        }
        Ok(())
    }
}

/// Words of 32 rows each.
const WORDS: usize = ROWS.div_ceil(32);
/// From one random action in four on.
const EXPLORATION: Exploration<f32> = Exploration { start: 0.25, half_after: 8 };

/// How long evenings are: nobody knows beforehand when it is time for bed.
#[derive(Clone, Debug)]
pub struct Lengths(Xoshiro128PlusPlus);

impl Lengths {
    /// The same seed gives the same lengths.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro128PlusPlus::seed_from_u64(seed))
    }

    /// Of the next evening: steps that are learned about, before those of the [`TAIL`].
    pub fn next_rows(&mut self) -> u16 {
        let half = ROWS as u32 / 2;
        (half + below(&mut self.0, half + 1)) as u16
    }
}

/// The room, with its rewards in the format of an arithmetic.
struct InFormat<'r, R>(&'r mut R);

impl<A: Arithmetic, B: I2c, L: Read + Write, T: Telemetry> World<A> for InFormat<'_, Room<'_, B, L, T>> {
    type State = Moment;

    fn begin(&mut self) -> Moment {
        self.0.begin()
    }

    fn act(&mut self, action: usize) -> Transition<Option<A::Target>, Moment> {
        let (reward, next) = self.0.act(action);
        Transition { reward: reward_in::<A>(reward), next }
    }
}

/// A reward that the format cannot hold is none, so that nobody learns it as 0.
fn reward_in<A: Arithmetic>(reward: f32) -> Option<A::Target> {
    A::target(reward).ok()
}

impl<B: I2c, L: Read + Write, T: Telemetry> Room<'_, B, L, T> {
    fn begin(&mut self) -> Moment {
        self.rows = self.lengths.next_rows();
        self.step = 0;
        self.moment.row = 0;
        let begun = self.heater.begin().map_err(Failure::from);
        match begun.and_then(|()| Ok(self.thermometers.read()?)) {
            Ok(reading) => self.moment.reading = reading,
            Err(failure) => self.failure = Some(failure),
        }
        self.moment
    }

    fn act(&mut self, action: usize) -> (f32, Option<Moment>) {
        if self.failure.is_none() {
            self.failure = self.heater.heat(action).err().map(Failure::from);
        }
        let before = self.moment;
        self.step += 1;
        match self.thermometers.read() {
            Ok(reading) => self.moment = Moment { reading, row: self.step.min(self.rows - 1) },
            // Heats on by what it knew, and opens no row about it.
            Err(Silent) => self.silences += 1,
        }
        let reward = reward(self.moment.reading.room, POWERS[action % POWERS.len()]);
        self.telemetry.step(&Step { row: before.row, reading: before.reading, reward });
        let ended = self.failure.is_some() || self.step >= self.rows + TAIL as u16;
        (reward, (!ended).then_some(self.moment))
    }
}

/// Looks one step ahead, and tells rows by their numbers.
struct ByRow;

impl<A: Arithmetic<Target: PartialOrd>> Policy<A, Moment, N> for ByRow {
    type Key = u16;

    fn actions(&self, moment: &Moment) -> usize {
        Policy::<A, _, N>::actions(&LookAhead(House), moment)
    }

    fn decide(&self, moment: &Moment, gamma: A::Scalar, weights: &[A::Weight; N]) -> usize {
        Policy::<A, _, N>::decide(&LookAhead(House), moment, gamma, weights)
    }

    fn value(&self, moment: &Moment, gamma: A::Scalar, weights: &[A::Weight; N]) -> Option<A::Target> {
        Policy::<A, _, N>::value(&LookAhead(House), moment, gamma, weights)
    }

    fn row(&self, moment: &Moment, action: usize) -> (u16, Result<A::Features<N>, RowError>) {
        (moment.row, Policy::<A, _, N>::row(&LookAhead(House), moment, action).1)
    }
}

#[cfg(test)]
mod tests {
    use osculate::{Arithmetic, Q28};

    use super::reward_in;

    #[test]
    fn a_reward_that_the_format_cannot_hold_is_none() {
        assert_eq!(reward_in::<Q28>(-1.5), Q28::target(-1.5).ok());
        assert_eq!([f32::NAN, f32::NEG_INFINITY, -1e10].map(reward_in::<Q28>), [None; 3]);
    }
}
