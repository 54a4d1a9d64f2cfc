//! The rules that look at an episode's rows again: `paper`, `predictable` and `plain`.

use osculate::{Batch, Episode, Learner, Outcome, Recorded};

use super::config::{Config, Targets, Unusable};
use super::number::Replayed;
use super::{Full, Replayer};

/// The log of one episode, with states as numbers.
pub type Log<A, const N: usize, const STEPS: usize, const ROWS: usize> = Episode<A, u32, N, STEPS, ROWS>;

/// A learner and the log it learns from. The log is borrowed: it may be most of a chip's RAM, which is not moved about.
pub struct Stored<'l, A: Replayed, const N: usize, const STEPS: usize, const ROWS: usize> {
    learner: Learner<A, N>,
    log: &'l mut Log<A, N, STEPS, ROWS>,
    gamma: A::Scalar,
    targets: Targets,
    /// Steps that the log has not even seen, since their reward does not exist in the format.
    dropped: u32,
}

impl<'l, A: Replayed, const N: usize, const STEPS: usize, const ROWS: usize> Stored<'l, A, N, STEPS, ROWS> {
    /// At w = 0, with an empty log.
    ///
    /// # Errors
    /// [`Unusable`] says what is wrong with the config.
    pub fn new(config: &Config, log: &'l mut Log<A, N, STEPS, ROWS>) -> Result<Self, Unusable> {
        let learner = Learner::new(config.learner::<A>()?)?;
        log.clear();
        Ok(Self { learner, log, gamma: A::scalar(config.gamma), targets: config.targets, dropped: 0 })
    }
}

impl<A: Replayed, const N: usize, const STEPS: usize, const ROWS: usize> Replayer<A, N>
    for Stored<'_, A, N, STEPS, ROWS>
{
    fn step(&mut self, state: u32, features: &[A::Value; N], reward: A::Value) -> Result<(), Full> {
        let Some(reward) = A::recorded_reward(reward) else {
            self.dropped = self.dropped.saturating_add(1);
            return Ok(());
        };
        match self.log.record(state, &A::recorded_features(features), reward) {
            Recorded::Full if self.log.len() == STEPS => Err(Full::Steps(STEPS as u32)),
            Recorded::Full => Err(Full::States(ROWS.min(A::MAX_ROWS) as u32)),
            _ => Ok(()),
        }
    }

    fn end_episode(&mut self) -> Outcome<A::Scalar> {
        let rows = match self.targets {
            Targets::MonteCarlo => self.log.monte_carlo(self.gamma),
            Targets::OneStep => self.log.one_step(self.gamma, self.learner.weights()),
        };
        let mut outcome = match rows {
            Ok(rows) => self.learner.update(rows),
            // γ was checked at the start, so this does not happen.
            Err(_) => self.learner.update(&Batch::<A, N, 0>::new()),
        };
        outcome.dropped = outcome.dropped.saturating_add(core::mem::take(&mut self.dropped));
        outcome
    }

    fn weights(&self) -> &[A::Weight; N] {
        self.learner.weights()
    }

    fn averaged(&self) -> &[A::Weight; N] {
        self.learner.averaged()
    }
}
