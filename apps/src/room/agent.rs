//! Chooses the heater's power and learns from the evening.

use checkpoint_ring::{Budget, Endurance, Life, StoreError};
use embedded_hal::i2c::I2c;
use embedded_io::{Read, Write};
use osculate::{
    Agent, Arithmetic, Exploration, Learner, Log, Random, Space, Stored, StoredConfig, Streaming, StreamingConfig,
    Tracking, TrackingConfig,
};

use super::GAMMA;
use super::features::N;
use super::occupant::{BYTES, CloseRows, Occupant};
use super::sensor::Thermometers;
use super::telemetry::Start;
use crate::choice::Rule;
use crate::failure::{Failure, Result};
use crate::line::{Request, ask, wait};
use crate::message::Message;
use crate::replay::format::Report;
use crate::store::{Keeper, Origin};
use crate::supervision::{Stage, Supervisor};

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

/// A checkpoint at the end of every evening: some 4 000 in ten years, where the EEPROM bears millions.
const BUDGET: Budget = Budget::new(ROWS as u32, Endurance::eeprom(BYTES), LIFE);
/// A sample every five minutes for ten years.
const LIFE: Life = Life { years: 10, samples_per_day: 288 };

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

impl Settings {
    /// The generator of the evenings' lengths, after this many of them.
    fn lengths_after(&self, evenings: u32) -> Random {
        let mut random = Random::new(self.seed);
        for _ in 0..evenings.min(self.evenings) {
            next_rows(&mut random);
        }
        random
    }
}

/// The number of steps of the next evening that become rows, before those of the [`TAIL`]: bedtime is not known in
/// advance.
pub fn next_rows(random: &mut Random) -> usize {
    ROWS / 2 + random.below(ROWS as u32 / 2 + 1) as usize
}

/// The agent's interface to the room.
pub struct Room<'b, B: I2c, L, K, S, T> {
    /// The sensors.
    pub thermometers: Thermometers<'b, B>,
    /// The line to the heater.
    pub line: L,
    /// Keeps what is learned across power cuts.
    pub keeper: K,
    /// Watches the loop.
    pub supervisor: S,
    /// Receives the reports.
    pub tell: T,
}

impl<B: I2c, L: Read + Write, K: Keeper, S: Supervisor, T: FnMut(&Message)> Room<'_, B, L, K, S, T> {
    /// Learns for the number of evenings in the settings, those before the last power cut included.
    ///
    /// # Errors
    /// [`Failure`] if it cannot continue; everything learned so far has been reported.
    pub fn learn<A: Arithmetic>(&mut self, settings: &Settings) -> Result<()> {
        match (settings.rule, settings.rule.stored()) {
            (Rule::Streaming, _) => self.learn_streaming::<A>(settings),
            (_, Some(config)) => self.learn_stored::<A>(settings, config),
            _ => self.track::<A>(settings),
        }
    }

    /// [`learn`](Self::learn) for an image that has no other rule than `tracking`.
    ///
    /// # Errors
    /// As [`learn`](Self::learn), and if another rule is wanted.
    // None of the three is inlined, so that the stack holds no other learner than its own.
    #[inline(never)]
    pub fn track<A: Arithmetic>(&mut self, settings: &Settings) -> Result<()> {
        if settings.rule != Rule::Tracking {
            return Err(Failure("not with this rule; an image without the feature `episodes` has `tracking` only"));
        }
        let config = TrackingConfig { gamma: GAMMA, ..TrackingConfig::CONTROL };
        self.evenings(settings, Tracking::<A, N>::try_new(config)?, None, CAREFUL)
    }

    #[inline(never)]
    fn learn_streaming<A: Arithmetic>(&mut self, settings: &Settings) -> Result<()> {
        let config = StreamingConfig { gamma: GAMMA, ..StreamingConfig::DEFAULT };
        self.evenings(settings, Streaming::<A, N>::try_new(config)?, Some(Agent::close_rows), BOLD)
    }

    #[inline(never)]
    fn learn_stored<A: Arithmetic>(&mut self, settings: &Settings, config: StoredConfig) -> Result<()> {
        let mut log = Log::<A, N, STEPS, ROWS>::NEW;
        let config = StoredConfig { gamma: GAMMA, ..config };
        self.evenings(settings, Stored::try_new(config, &mut log)?, Some(Agent::close_rows), BOLD)
    }

    fn evenings<A: Arithmetic, R: Learner<Space = Space<A, N>, Report: Into<Report>>>(
        &mut self,
        settings: &Settings,
        learner: R,
        close_rows: Option<CloseRows<R>>,
        exploration: Exploration,
    ) -> Result<()> {
        let mut occupant = Occupant::new(learner, close_rows, exploration, !settings.seed)?;
        let (mut budget, mut due) = (BUDGET, false);
        let mut start = self.resume(&mut occupant, 0);
        (self.tell)(&Message::Start(start));
        let (mut evening, mut random) = (start.evenings, settings.lengths_after(start.evenings));
        while evening < settings.evenings {
            evening += 1;
            let steps = next_rows(&mut random) + TAIL;
            self.pass(Request::Begin(evening))?;
            self.thermometers.begin();
            self.sample(&mut occupant, false);
            for step in 1..=steps {
                // Nothing is stored within an evening.
                self.supervisor.reached(Stage::Store);
                self.pass(Request::Heat(occupant.level()))?;
                if step + TAIL == steps {
                    occupant.close_rows();
                }
                self.sample(&mut occupant, step == steps);
                due |= budget.due();
            }
            let (known, told) = occupant.end(evening);
            (self.tell)(&Message::Known(known));
            (self.tell)(&Message::Evening(told));
            if core::mem::take(&mut due) {
                if !start.origin.is_unreadable() {
                    self.store(&occupant, evening);
                } else {
                    // What could not be read is not overwritten. Once it can be, it is worth more than what was learned
                    // since the boot.
                    start = self.resume(&mut occupant, evening);
                    if !start.origin.is_unreadable() {
                        (self.tell)(&Message::Start(start));
                        (evening, random) = (start.evenings, settings.lengths_after(start.evenings));
                    }
                }
            }
            (self.tell)(&Message::Faults(*self.thermometers.faults()));
            self.supervisor.reached(Stage::Store);
        }
        Ok(())
    }

    /// Sends a request and waits until its step is over.
    fn pass(&mut self, request: Request) -> Result<()> {
        ask(&mut self.line, request)?;
        self.supervisor.reached(Stage::Act);
        wait(&mut self.line, request.answer())?;
        self.supervisor.reached(Stage::Wait);
        Ok(())
    }

    fn sample<A: Arithmetic>(&mut self, occupant: &mut Occupant<impl Learner<Space = Space<A, N>>>, is_last: bool) {
        let now = self.thermometers.read().ok();
        self.supervisor.reached(Stage::Sample);
        let recorded = occupant.sample(now, is_last);
        if let Some(step) = recorded {
            (self.tell)(&Message::Step(step));
        }
        self.supervisor.reached(Stage::Learn);
    }

    /// Goes on from the newest checkpoint, if there is one that fits; otherwise from where it is, after this many evenings.
    #[inline(never)]
    fn resume<A: Arithmetic>(
        &mut self,
        occupant: &mut Occupant<impl Learner<Space = Space<A, N>>>,
        behind: u32,
    ) -> Start {
        let (origin, evenings) = Origin::find(&mut self.keeper, &mut [0; BYTES], |bytes| occupant.restore(bytes));
        Start { origin, evenings: evenings.unwrap_or(behind) }
    }

    #[inline(never)]
    fn store<A: Arithmetic>(&mut self, occupant: &Occupant<impl Learner<Space = Space<A, N>>>, evenings: u32) {
        let mut buffer = [0; BYTES];
        let stored = match occupant.save(evenings, &mut buffer) {
            Ok(length) => self.keeper.store(buffer.get(..length).unwrap_or(&buffer)),
            Err(_) => Err(StoreError::TooLong),
        };
        (self.tell)(&Message::Stored(stored));
    }
}
