//! Learners that are fed step by step and update when the episode ends.

use crate::arithmetic::{Arithmetic, RowError};
use crate::config::{ConfigError, LearnerConfig, check_gamma};
use crate::episode::{Episode, Recorded};
use crate::learner::Learner;
use crate::outcome::Outcome;
use crate::streaming::StreamingLearner;
use crate::visits::VisitSet;

/// What [`Sim`](crate::Sim) asks of a learner: implemented by [`Logged`] and [`Streamed`].
///
/// ```
/// use osculate::episodic::{Episodic, Logged, Targets};
/// use osculate::Learner;
/// let mut learner = Logged::<f32, char, 1, 8, 4>::new(Learner::default(), 0.5, Targets::MonteCarlo).unwrap();
/// learner.record('a', &[1.0], Some(1.0));
/// learner.record('b', &[2.0], Some(2.0)); // V = 2 for a and for b
/// let outcome = learner.end_episode();
/// assert_eq!((outcome.k, outcome.tau), (1, 2));
/// assert_eq!(learner.weights(), learner.estimate());
/// // From w = 0, the step is as long as the weights are.
/// assert_eq!((learner.gamma(), learner.step_length()), (0.5, learner.weights()[0]));
/// learner.restart();
/// assert_eq!(learner.step_length(), 0.0);
/// assert!(learner.weights()[0] > 0.0);
/// ```
pub trait Episodic<A: Arithmetic, K, const N: usize> {
    /// The discount γ.
    fn gamma(&self) -> A::Scalar;
    /// w, which actions are chosen by. Constant during an episode.
    fn weights(&self) -> &[A::Weight; N];
    /// The best estimate of w*: w, or its average for the rules that keep one.
    fn estimate(&self) -> &[A::Weight; N];
    /// Takes a step: what it was about, its features, and the reward that came with it. `None` is a reward that is not
    /// known, such as one that the format cannot hold: the step is left out and counted, as for one that is not finite.
    fn record(&mut self, key: K, features: &A::Features<N>, reward: Option<A::Target>) -> Recorded;
    /// Hears that the episode will end without having come to its end, in a state worth `value`.
    ///
    /// ```
    /// use osculate::episodic::{Episodic, Logged, Targets};
    /// use osculate::Learner;
    /// let after_a_cut = |targets| {
    ///     let mut learner = Logged::<f32, char, 1, 8, 4>::new(Learner::default(), 0.5, targets).unwrap();
    ///     learner.record('a', &[1.0], Some(1.0));
    ///     learner.cut(6.0);
    ///     learner.end_episode();
    ///     learner.weights()[0]
    /// };
    /// assert_eq!(after_a_cut(Targets::OneStep), 4.0); // 1 + 0.5 · 6
    /// assert_eq!(after_a_cut(Targets::MonteCarlo), 1.0); // what was received, and no more
    /// ```
    fn cut(&mut self, value: A::Target);
    /// Ends the episode with one update, and is ready for the next one.
    fn end_episode(&mut self) -> Outcome<A::Scalar>;
    /// ‖w − w⁻‖, the length of the last step.
    fn step_length(&self) -> A::Scalar;
    /// Starts the schedule anew, without forgetting what was learned.
    fn restart(&mut self);
}

/// What a state's value is learned from.
///
/// ```
/// use osculate::episodic::Targets;
/// assert_eq!(Targets::default(), Targets::MonteCarlo);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Targets {
    /// The discounted rewards that were really received: the paper's. An episode that is cut counts as it is.
    #[default]
    MonteCarlo,
    /// The next reward and the value of the next state by the weights so far, R + γ φ(next)·w. An episode that is cut
    /// ends in the value of the state it was cut in.
    OneStep,
}

/// A [`Learner`] with a log of up to `STEPS` steps and `ROWS` different keys.
///
/// Where the log has no room for a step, the episode ends before it.
///
/// ```
/// use osculate::episodic::{Episodic, Logged, Targets};
/// use osculate::{ConfigError, Learner, LearnerConfig, Recorded};
/// let learner = || Learner::<f32, 1>::new(LearnerConfig::predictable()).unwrap();
/// let mut logged = Logged::<f32, u8, 1, 2, 2>::new(learner(), 0.9, Targets::OneStep).unwrap();
/// assert_eq!(logged.record(0, &[1.0], Some(1.0)), Recorded::First);
/// assert_eq!(logged.record(0, &[1.0], None), Recorded::BadReward);
/// assert_eq!(logged.record(0, &[1.0], Some(1.0)), Recorded::Again);
/// assert_eq!(logged.record(0, &[1.0], Some(1.0)), Recorded::Full);
/// assert_eq!(logged.end_episode().tau, 1);
/// let refused = Logged::<f32, u8, 1, 2, 2>::new(learner(), 1.5, Targets::OneStep);
/// assert_eq!(refused.unwrap_err(), ConfigError::Gamma);
/// ```
#[derive(Clone, Debug)]
pub struct Logged<A: Arithmetic, K, const N: usize, const STEPS: usize, const ROWS: usize> {
    learner: Learner<A, N>,
    episode: Episode<A, K, N, STEPS, ROWS>,
    gamma: A::Scalar,
    targets: Targets,
}

impl<A: Arithmetic, K: PartialEq, const N: usize, const STEPS: usize, const ROWS: usize> Logged<A, K, N, STEPS, ROWS> {
    /// With an empty log.
    ///
    /// # Errors
    /// [`ConfigError::Gamma`] where γ is not in [0, 1].
    pub fn new(learner: Learner<A, N>, gamma: A::Scalar, targets: Targets) -> Result<Self, ConfigError> {
        check_gamma(gamma)?;
        Ok(Self { learner, episode: Episode::new(), gamma, targets })
    }

    /// The learner inside.
    ///
    /// ```
    /// use osculate::episodic::{Episodic, Logged, Targets};
    /// use osculate::Learner;
    /// let mut logged = Logged::<f32, char, 1, 8, 4>::new(Learner::default(), 0.5, Targets::MonteCarlo).unwrap();
    /// logged.record('a', &[2.0], Some(6.0));
    /// logged.end_episode();
    /// assert_eq!((logged.learner().steps(), logged.learner().velocity()), (1, &[3.0]));
    /// ```
    pub fn learner(&self) -> &Learner<A, N> {
        &self.learner
    }
}

impl<A: Arithmetic, K: PartialEq, const N: usize, const STEPS: usize, const ROWS: usize> Episodic<A, K, N>
    for Logged<A, K, N, STEPS, ROWS>
{
    fn gamma(&self) -> A::Scalar {
        self.gamma
    }

    fn weights(&self) -> &[A::Weight; N] {
        self.learner.weights()
    }

    fn estimate(&self) -> &[A::Weight; N] {
        self.learner.estimate()
    }

    fn record(&mut self, key: K, features: &A::Features<N>, reward: Option<A::Target>) -> Recorded {
        match reward {
            Some(reward) => self.episode.record(key, features, reward),
            None => self.episode.leave_out(),
        }
    }

    fn cut(&mut self, value: A::Target) {
        match self.targets {
            Targets::MonteCarlo => {}
            Targets::OneStep => self.episode.cut_at(self.gamma, value),
        }
    }

    fn end_episode(&mut self) -> Outcome<A::Scalar> {
        let batch = match self.targets {
            Targets::MonteCarlo => self.episode.end_with_returns(self.gamma),
            Targets::OneStep => self.episode.end_with_values(self.gamma, self.learner.weights()),
        };
        self.learner.update(batch)
    }

    fn step_length(&self) -> A::Scalar {
        self.learner.step_length()
    }

    fn restart(&mut self) {
        self.learner.restart();
    }
}

/// A [`StreamingLearner`] with the set of states it has visited: no log, and so no end to an episode's length.
///
/// `index` numbers the keys from 0 on. Where the set of 32·`WORDS` has no place for a number, the episode ends there as if a
/// log were full. Monte Carlo targets only.
///
/// ```
/// use osculate::episodic::{Episodic, Streamed};
/// use osculate::{LearnerConfig, Recorded};
/// let index = |key: &u8| u32::from(*key);
/// let mut learner = Streamed::<f32, u8, 2, 1>::new(LearnerConfig::predictable(), 0.5, index).unwrap();
/// assert_eq!(learner.record(0, &[1.0, 0.0], Some(1.0)), Recorded::First);
/// assert_eq!(learner.record(0, &[1.0, 0.0], Some(1.0)), Recorded::Again);
/// assert_eq!(learner.record(32, &[0.0, 1.0], Some(1.0)), Recorded::Full);
/// assert_eq!(learner.end_episode().tau, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Streamed<A: Arithmetic, K, const N: usize, const WORDS: usize> {
    learner: StreamingLearner<A, N>,
    visits: VisitSet<WORDS>,
    gamma: A::Scalar,
    index: fn(&K) -> u32,
    /// A key had no place in the set: the episode ended before it.
    full: bool,
}

impl<A: Arithmetic, K, const N: usize, const WORDS: usize> Streamed<A, K, N, WORDS> {
    /// At w = 0.
    ///
    /// # Errors
    /// [`ConfigError`] names the parameter that is out of range.
    pub fn new(config: LearnerConfig<A::Scalar>, gamma: A::Scalar, index: fn(&K) -> u32) -> Result<Self, ConfigError> {
        Ok(Self { learner: StreamingLearner::new(config, gamma)?, visits: VisitSet::new(), gamma, index, full: false })
    }

    /// The learner inside.
    ///
    /// ```
    /// use osculate::LearnerConfig;
    /// use osculate::episodic::{Episodic, Streamed};
    /// let index = |key: &u8| u32::from(*key);
    /// let mut streamed = Streamed::<f32, u8, 1, 1>::new(LearnerConfig::predictable(), 0.5, index).unwrap();
    /// streamed.record(0, &[2.0], Some(6.0));
    /// streamed.end_episode();
    /// assert_eq!((streamed.learner().steps(), streamed.learner().weights()), (1, &[3.0]));
    /// ```
    pub fn learner(&self) -> &StreamingLearner<A, N> {
        &self.learner
    }
}

impl<A: Arithmetic, K, const N: usize, const WORDS: usize> Episodic<A, K, N> for Streamed<A, K, N, WORDS> {
    fn gamma(&self) -> A::Scalar {
        self.gamma
    }

    fn weights(&self) -> &[A::Weight; N] {
        self.learner.weights()
    }

    fn estimate(&self) -> &[A::Weight; N] {
        self.learner.averaged()
    }

    fn record(&mut self, key: K, features: &A::Features<N>, reward: Option<A::Target>) -> Recorded {
        let index = (self.index)(&key);
        let seen = self.visits.contains(index).filter(|_| !self.full);
        let Some(seen) = seen else {
            self.full = true;
            return Recorded::Full;
        };
        let taken = match reward {
            Some(reward) => self.learner.step(features, !seen, reward),
            None => self.learner.leave_out(),
        };
        match taken {
            Ok(()) if seen => Recorded::Again,
            // Mark it visited only once its row was accepted, so that a later visit can still be the first, as in a log.
            Ok(()) => {
                self.visits.visit(index);
                Recorded::First
            }
            Err(RowError::BatchFull) => Recorded::Full,
            Err(RowError::NonFiniteTarget) => Recorded::BadReward,
            Err(error) => Recorded::BadFeatures(error),
        }
    }

    /// Rewards that were not received are not learned from.
    fn cut(&mut self, _: A::Target) {}

    fn end_episode(&mut self) -> Outcome<A::Scalar> {
        self.visits.clear();
        self.full = false;
        self.learner.end_episode()
    }

    fn step_length(&self) -> A::Scalar {
        self.learner.step_length()
    }

    fn restart(&mut self) {
        self.learner.restart();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(learner: &mut impl Episodic<f32, u32, 1>) -> [Recorded; 5] {
        let steps = [(0.0, 1.0), (1.0, f32::NAN), (1.0, 1.0), (1.0, 1.0), (0.0, 1.0)];
        steps.map(|(feature, reward)| learner.record(7, &[feature], Some(reward)))
    }

    #[test]
    fn a_state_that_gave_no_row_is_unseen_with_and_without_a_log() {
        let zero = Recorded::BadFeatures(RowError::ZeroFeatures);
        let expected = [zero, Recorded::BadReward, Recorded::First, Recorded::Again, Recorded::Again];
        let mut logged = Logged::<f32, u32, 1, 8, 8>::new(Learner::default(), 0.5, Targets::MonteCarlo).unwrap();
        assert_eq!(records(&mut logged), expected);
        let mut streamed = Streamed::<f32, u32, 1, 1>::new(LearnerConfig::predictable(), 0.5, |key| *key).unwrap();
        assert_eq!(records(&mut streamed), expected);
        assert_eq!((logged.end_episode().tau, streamed.end_episode().tau), (1, 1));
    }
}
