//! The agent that lives in the room: one call per sample, faulty ones included.

use osculate::features::FeatureMap;
use osculate::{
    Agent, Arithmetic, ConfigError, Episode, Exploration, Learner, LookAhead, Q28, Space, StateError, Streaming, Within,
};

use super::features::{Bowl, N};
use super::model::House;
use super::telemetry::{Evening, Known, Recorded};
use super::thermostat::Comfort;
use super::{POWERS, Reading, reward};
use crate::replay::format::Report;

/// The level of the heater while a thermometer is faulty: off.
pub const SAFE: usize = 0;
/// The most bytes of a checkpoint: those of streaming in fixed point. (A log would have more, but that of an evening is
/// empty between two of them.)
pub const BYTES: usize = HEADER + House::BYTES + Agent::<Streaming<Q28, N>, Heating>::BYTES;
/// The bytes of a checkpoint before the states of model and agent.
const HEADER: usize = 8;

/// Looks a step ahead, and leaves the rest to the thermostat.
pub(super) type Heating = Within<LookAhead<House, Bowl>, Comfort>;

/// An agent, and the step that it waits for.
pub(super) struct Occupant<L: Learner> {
    agent: Agent<L, Heating>,
    /// What the level was chosen for; none if it is the safe one.
    reading: Option<Reading>,
    level: usize,
    row: u16,
    makes_rows: bool,
    /// How to close the rows of an evening, for a rule that learns from whole evenings.
    close_rows: Option<CloseRows<L>>,
}

/// A method of an agent with episodes.
pub(super) type CloseRows<L> = fn(&mut Agent<L, Heating>);

impl<A: Arithmetic, L: Learner<Space = Space<A, N>>> Occupant<L> {
    pub(super) fn new(
        learner: L,
        close_rows: Option<CloseRows<L>>,
        exploration: Exploration,
        seed: u64,
    ) -> Result<Self, ConfigError> {
        let policy = LookAhead::new(House::of_data_sheet(), Bowl::of_data_sheet()).within(Comfort);
        let agent = Agent::try_new(learner, policy, exploration, seed)?;
        Ok(Self { agent, reading: None, level: SAFE, row: 0, makes_rows: true, close_rows })
    }

    /// The heater's level for the next step.
    pub(super) fn level(&self) -> u8 {
        self.level as u8
    }

    /// A sample: learns from the step that is over, and chooses the next level unless it was the last. Returns the step
    /// as it was learned from.
    ///
    /// If there is no reading, nothing is learned from the steps before and after it, and the heater is switched off.
    pub(super) fn sample(&mut self, now: Option<Reading>, is_last: bool) -> Option<Recorded> {
        let (before, level) = (self.reading.take(), core::mem::replace(&mut self.level, SAFE));
        let Some(now) = now else {
            self.agent.finish_with(None);
            self.agent.missed();
            return None;
        };
        let reward = before.map(|before| {
            self.agent.model_mut().learn(&before, level, &now);
            reward(now.room, POWERS[level % POWERS.len()])
        });
        let features = before.and_then(|before| self.agent.map().features(&before).ok());
        let recorded = reward.zip(features).map(|(reward, features)| Recorded { row: self.row, reward, features });
        self.row += u16::from(recorded.is_some() && self.makes_rows);
        if is_last {
            self.agent.finish_with(reward);
            self.reading = Some(now);
        } else if let Ok(level) = self.agent.step(reward, &now) {
            (self.reading, self.level) = (Some(now), level);
        }
        recorded
    }

    /// From here on, steps only complete the returns of earlier ones, if the rule has any.
    pub(super) fn close_rows(&mut self) {
        if let Some(close_rows) = self.close_rows {
            close_rows(&mut self.agent);
            self.makes_rows = false;
        }
    }

    /// The evening is over: learns from it, if the rule learns from whole evenings. Otherwise its last value stands for
    /// what is to come: the heating goes on after bedtime, but what the night does is not the agent's.
    pub(super) fn end(&mut self, evening: u32) -> (Known, Evening)
    where
        L::Report: Into<Report>,
    {
        let episode = match self.reading.take() {
            Some(reading) if self.close_rows.is_none() => self.agent.truncate(&reading),
            _ => self.agent.end(),
        };
        let Episode { explored, fallbacks, missed: silences, steps, report, .. } = episode;
        (self.row, self.makes_rows, self.level) = (0, true, SAFE);
        if let Some(holding) = self.agent.model().holding() {
            self.agent.map_mut().follow(holding, evening);
        }
        let known = Known { model: *self.agent.model().weights(), holding: self.agent.map().holding };
        let weights = self.agent.weights().map(|weight| A::bits(weight) as u32);
        (known, Evening { steps, explored, fallbacks, silences, report: report.into(), weights })
    }

    /// Writes everything learned in this many evenings. Returns the number of bytes.
    ///
    /// # Errors
    /// [`StateError::NoRoom`] if the buffer is too short.
    pub(super) fn save(&self, evenings: u32, bytes: &mut [u8]) -> Result<usize, StateError> {
        let (header, rest) = bytes.split_first_chunk_mut::<HEADER>().ok_or(StateError::NoRoom)?;
        let (count, holding) = header.split_at_mut(4);
        count.copy_from_slice(&evenings.to_le_bytes());
        holding.copy_from_slice(&self.agent.map().holding.to_le_bytes());
        let (model, rest) = rest.split_at_mut_checked(House::BYTES).ok_or(StateError::NoRoom)?;
        self.agent.model().save(model)?;
        Ok(HEADER + House::BYTES + self.agent.save(rest)?)
    }

    /// Goes on from saved bytes. Returns the number of evenings behind them.
    ///
    /// # Errors
    /// [`StateError`] says why the bytes were refused. Nothing has changed then.
    pub(super) fn restore(&mut self, bytes: &[u8]) -> Result<u32, StateError> {
        let (&[a, b, c, d, e, f, g, h], rest) = bytes.split_first_chunk::<HEADER>().ok_or(StateError::NoState)?;
        let (model, rest) = rest.split_at_checked(House::BYTES).ok_or(StateError::NoState)?;
        let bowl = Bowl::with_holding(f32::from_le_bytes([e, f, g, h])).ok_or(StateError::NonFinite)?;
        let mut house = *self.agent.model();
        house.restore(model)?;
        self.agent.restore(rest)?;
        (*self.agent.model_mut(), *self.agent.map_mut()) = (house, bowl);
        Ok(u32::from_le_bytes([a, b, c, d]))
    }
}

#[cfg(test)]
mod tests {
    use osculate::{Tracking, TrackingConfig};

    use super::super::GAMMA;
    use super::*;

    type Tracker = Occupant<Tracking<f32, N>>;

    fn occupant() -> Tracker {
        let config = TrackingConfig { gamma: GAMMA, ..TrackingConfig::CONTROL };
        Occupant::new(Tracking::new(config), None, Exploration::NONE, 1).unwrap()
    }

    /// Elsewhere at every step, and sometimes so cold that the heater has to be on.
    fn reading(step: u32) -> Reading {
        let wave = (step as f32).sin();
        Reading { room: 20.2 + 0.6 * wave, floor: 25.0 - wave, outside: 2.0 + 0.01 * step as f32 }
    }

    /// The bits of everything learned: about the house, and of its heating.
    fn learned(occupant: &Tracker) -> ([[u32; 4]; 2], [u32; N]) {
        (occupant.agent.model().weights().map(|row| row.map(f32::to_bits)), occupant.agent.weights().map(f32::to_bits))
    }

    #[test]
    fn after_a_fault_the_heater_is_off_and_nothing_is_learned_until_there_are_two_readings() {
        let mut occupant = occupant();
        let mut was_on = false;
        for step in 0..40 {
            let (before, level) = (learned(&occupant), occupant.level());
            // Every fourth sample and the one after the eighth are faults, so some follow each other.
            let faults = |step: u32| step % 4 == 3 || step % 8 == 4;
            let recorded = occupant.sample((!faults(step)).then(|| reading(step)), false);
            let steps_on = step > 0 && !faults(step) && !faults(step - 1);
            assert_eq!(recorded.is_some(), steps_on, "step {step}");
            let (model, weights) = learned(&occupant);
            assert_eq!(model != before.0, steps_on, "the model in step {step}");
            assert!(steps_on || weights == before.1, "the weights in step {step}");
            assert!(!faults(step) || occupant.level() == SAFE as u8, "the heater in step {step}");
            was_on |= faults(step) && level > 0;
        }
        assert!(was_on, "it was never on before a fault");
        assert!(learned(&occupant).1.iter().any(|bits| *bits != 0), "nothing was learned");
    }

    #[test]
    fn a_level_that_was_chosen_is_a_step_also_if_its_end_was_not_seen() {
        let mut occupant = occupant();
        for step in 0..10 {
            occupant.sample((step != 5).then(|| reading(step)), false);
        }
        occupant.sample(None, true);
        let (_, evening) = occupant.end(1);
        assert_eq!((evening.steps, evening.silences), (9, 2));
    }

    /// After an evening.
    fn experienced() -> Tracker {
        let mut occupant = occupant();
        for step in 0..30 {
            occupant.sample(Some(reading(step)), step == 29);
        }
        occupant.end(1);
        occupant
    }

    fn saved(occupant: &Tracker) -> ([u8; BYTES], usize) {
        let mut bytes = [0; BYTES];
        let length = occupant.save(7, &mut bytes).unwrap();
        (bytes, length)
    }

    #[test]
    fn everything_learned_is_restored() {
        let before = experienced();
        let (bytes, length) = saved(&before);
        let mut after = occupant();
        assert_eq!(after.restore(&bytes[..length]), Ok(7));
        assert_eq!(learned(&after), learned(&before));
        assert_eq!(after.agent.map().holding, before.agent.map().holding);
        assert_ne!(after.agent.map().holding, Bowl::of_data_sheet().holding, "nothing was learned about it");
        assert_eq!(saved(&after), (bytes, length));
    }

    #[test]
    fn what_is_refused_has_changed_nothing() {
        let (bytes, length) = saved(&experienced());
        let mut occupant = occupant();
        let fresh = saved(&occupant);
        for at in HEADER..length {
            let mut bytes = bytes;
            bytes[at] ^= 0x80;
            assert!(occupant.restore(&bytes[..length]).is_err(), "byte {at}");
            assert_eq!(saved(&occupant), fresh, "byte {at}");
        }
        for holding in [f32::NAN, f32::INFINITY, -0.3, 0.0, 30.0] {
            let mut bytes = bytes;
            bytes[4..HEADER].copy_from_slice(&holding.to_le_bytes());
            assert!(occupant.restore(&bytes[..length]).is_err(), "{holding}");
            assert_eq!(saved(&occupant), fresh, "{holding}");
        }
        for cut in 0..length {
            assert!(occupant.restore(&bytes[..cut]).is_err(), "{cut} bytes");
            assert_eq!(saved(&occupant), fresh, "{cut} bytes");
        }
    }
}
