//! The rule without a log: `streaming`.

use osculate::visits::VisitSet;
use osculate::{Outcome, RowError, StreamingLearner};

use super::config::{Config, Unusable};
use super::number::Replayed;
use super::{Full, Replayer};

/// A learner that keeps nothing of an episode but sums, and a bit for each of 32·`WORDS` states.
pub struct Streaming<A: Replayed, const N: usize, const WORDS: usize> {
    learner: StreamingLearner<A, N>,
    visits: VisitSet<WORDS>,
    /// Steps that the learner has not even seen, since their reward does not exist in the format.
    dropped: u32,
}

impl<A: Replayed, const N: usize, const WORDS: usize> Streaming<A, N, WORDS> {
    /// At w = 0.
    ///
    /// # Errors
    /// [`Unusable`] says what is wrong with the config.
    pub fn new(config: &Config) -> Result<Self, Unusable> {
        let learner = StreamingLearner::new(config.learner::<A>()?, A::scalar(config.gamma))?;
        Ok(Self { learner, visits: VisitSet::new(), dropped: 0 })
    }
}

impl<A: Replayed, const N: usize, const WORDS: usize> Replayer<A, N> for Streaming<A, N, WORDS> {
    fn step(&mut self, state: u32, features: &[A::Value; N], reward: A::Value) -> Result<(), Full> {
        let Some(reward) = A::recorded_reward(reward) else {
            self.dropped = self.dropped.saturating_add(1);
            return Ok(());
        };
        let seen = self.visits.contains(state).ok_or(Full::States(u32::BITS * WORDS as u32))?;
        match self.learner.step(&A::recorded_features(features), !seen, reward) {
            // Mark it visited only once its row was accepted, so that a later visit can still be the first, as in a log.
            Ok(()) => _ = self.visits.visit(state),
            Err(RowError::BatchFull) => return Err(Full::States(A::MAX_ROWS as u32)),
            Err(_) => {}
        }
        Ok(())
    }

    fn end_episode(&mut self) -> Outcome<A::Scalar> {
        let mut outcome = self.learner.end_episode();
        outcome.dropped = outcome.dropped.saturating_add(core::mem::take(&mut self.dropped));
        self.visits.clear();
        outcome
    }

    fn weights(&self) -> &[A::Weight; N] {
        self.learner.weights()
    }

    fn averaged(&self) -> &[A::Weight; N] {
        self.learner.averaged()
    }
}
