//! Learning without a log: memory that does not grow with the episode.
//!
//! w is constant during an episode, and the curvature may be taken along the *previous* direction, so nothing needs a
//! second look at a row. A trace carries each reward back to all states before it at once.

use crate::arithmetic::{Arithmetic, Overflow, RowError, Scalar};
use crate::config::{ConfigError, LearnerConfig, check_gamma};
use crate::curvature::PastCurvature;
use crate::momentum::Iterate;
use crate::outcome::{Outcome, Verdict};

/// The `Predictable` rule, step by step: seven vectors of n numbers, whatever the length of the episode.
///
/// Per step, with ĝ the previous episode's direction: z ← γz; on a first visit z += φ/‖φ‖², g += ((φ·w)/‖φ‖²) φ and
/// c += ((φ·ĝ)/‖φ‖²) φ; then g −= R z. When the episode ends, g is exactly the total projection of its first-visit rows.
///
/// Nothing is learned before [`end_episode`](Self::end_episode). A stream that has no episodes needs ends of its own, such as
/// every 256 steps; without them the weights stay as they are, however many steps are taken.
///
/// In fixed point the trace has a range: features should be near 1 (2⁻⁴ to 2⁴), or be scaled by a power of two per column.
///
/// ```
/// use osculate::{LearnerConfig, StreamingLearner, visits::VisitSet};
/// let mut learner = StreamingLearner::<f32, 2>::new(LearnerConfig::predictable(), 0.5).unwrap();
/// let mut visits = VisitSet::<1>::new();
/// for _episode in 0..200 {
///     visits.clear();
///     for (state, reward) in [(0, 0.0), (1, 0.0), (0, 8.0)] {
///         let features = if state == 0 { [1.0, 0.0] } else { [0.0, 1.0] };
///         let first = visits.visit(state) == Some(true);
///         learner.step(&features, first, reward).unwrap();
///     }
///     learner.end_episode();
/// }
/// let [a, b] = *learner.averaged();
/// assert!((a - 2.0).abs() < 1e-3 && (b - 4.0).abs() < 1e-3);
/// assert_eq!(learner.steps(), 200);
/// ```
#[derive(Clone, Debug)]
pub struct StreamingLearner<A: Arithmetic, const N: usize> {
    config: LearnerConfig<A::Scalar>,
    gamma: A::Scalar,
    iterate: Iterate<A, N>,
    past: PastCurvature<A::Scalar>,
    previous: Option<A::Direction<N>>,
    episode: Running<A, N>,
}

/// What one episode has summed up so far.
#[derive(Clone, Debug)]
struct Running<A: Arithmetic, const N: usize> {
    trace: A::Trace<N>,
    total: A::Sum<N>,
    change: A::Sum<N>,
    tau: u32,
    dropped: u32,
    full: bool,
}

impl<A: Arithmetic, const N: usize> Running<A, N> {
    fn new() -> Self {
        let (total, change) = (A::residual_sum(), A::change_sum());
        Self { trace: A::Trace::default(), total, change, tau: 0, dropped: 0, full: false }
    }
}

impl<A: Arithmetic, const N: usize> StreamingLearner<A, N> {
    /// A learner at w = 0.
    ///
    /// # Errors
    /// [`ConfigError`] names the parameter that is out of range, or [`Streaming`](ConfigError::Streaming) where the config
    /// asks for what this learner does not do: another rule, skipping, or curvature in some episodes only.
    pub fn new(config: LearnerConfig<A::Scalar>, gamma: A::Scalar) -> Result<Self, ConfigError> {
        config.check_streaming()?;
        check_gamma(gamma)?;
        let iterate = Iterate::new([A::Weight::default(); N]);
        Ok(Self { config, gamma, iterate, past: PastCurvature::default(), previous: None, episode: Running::new() })
    }

    /// One step of the episode: the features of the state that was left, whether this was its first visit (or `true`
    /// always, for every-visit learning), and the reward that came with leaving it.
    ///
    /// # Errors
    /// [`RowError`] where the step was dropped, and counted. Unusable features leave the reward to the states before; a
    /// reward that is not finite leaves everything as it was. [`BatchFull`](RowError::BatchFull) is not counted: the episode
    /// ended before this step, and so it does before every further one until [`end_episode`](Self::end_episode).
    pub fn step(&mut self, features: &A::Features<N>, first_visit: bool, reward: A::Target) -> Result<(), RowError> {
        let episode = &mut self.episode;
        if episode.full || !A::is_usable(reward) {
            return self.leave_out();
        }
        let dropped = match first_visit.then(|| A::admit(features)) {
            Some(Ok(row)) => {
                if episode.tau as usize >= A::MAX_ROWS {
                    episode.full = true;
                    return Err(RowError::BatchFull);
                }
                let known = (self.iterate.weights(), self.previous.as_ref());
                let sums = [&mut episode.total, &mut episode.change];
                A::visit(&mut episode.trace, sums, &row, known, (self.gamma, reward));
                episode.tau = episode.tau.saturating_add(1);
                return Ok(());
            }
            Some(Err(error)) => Err(error),
            None => Ok(()),
        };
        A::decay(&mut episode.trace, self.gamma);
        A::credit(&mut episode.total, reward, &episode.trace);
        if dropped.is_err() {
            episode.dropped = episode.dropped.saturating_add(1);
        }
        dropped
    }

    /// Counts a step without a usable reward, and leaves it out; or finds the episode full, as for any step.
    pub(crate) fn leave_out(&mut self) -> Result<(), RowError> {
        if self.episode.full {
            return Err(RowError::BatchFull);
        }
        self.episode.dropped = self.episode.dropped.saturating_add(1);
        Err(RowError::NonFiniteTarget)
    }

    /// Ends the episode with one update, and begins the next one.
    pub fn end_episode(&mut self) -> Outcome<A::Scalar> {
        let mut outcome = Outcome::new(self.iterate.next(), self.episode.tau, self.episode.dropped);
        if outcome.tau > 0 {
            self.iterate.count();
            outcome.verdict = self.update(&mut outcome).unwrap_or(Verdict::Overflow);
        }
        self.episode = Running::new();
        outcome
    }

    fn update(&mut self, outcome: &mut Outcome<A::Scalar>) -> Result<Verdict, Overflow> {
        let length = |direction: &A::Direction<N>| A::norm(direction).scaled(A::exponent(direction));
        let total = A::close(self.episode.total.clone())?;
        let change = A::close(self.episode.change.clone())?;
        let norm = A::norm(&total);
        outcome.g_norm = norm.scaled(A::exponent(&total)) / A::Scalar::from_count(outcome.tau);
        let cap = self.config.theta_cap.unwrap_or(A::Scalar::MAX);
        outcome.theta = self.past.ratio(outcome.tau, cap);
        let gain = self.config.schedule.gain(outcome.k) * outcome.theta;
        let stopped = self.iterate.advance(&total, gain, self.config.beta)?;
        let summed = A::saturated(&total).saturating_add(A::trace_saturated(&self.episode.trace));
        outcome.saturated = summed.saturating_add(stopped);
        if let Some(previous) = &self.previous {
            self.past.observe(length(previous), length(&change).scaled(A::exponent(previous)));
        }
        // A direction without length has no curvature to show.
        self.previous = (norm > A::Scalar::ZERO).then_some(total);
        Ok(Verdict::Stepped)
    }

    /// w, constant during an episode. [`averaged`](Self::averaged) is the one to report, unless the gain is constant.
    ///
    /// ```
    /// use osculate::{LearnerConfig, StreamingLearner};
    /// let mut learner = StreamingLearner::<f32, 1>::new(LearnerConfig::predictable(), 0.5).unwrap();
    /// learner.step(&[2.0], true, 6.0).unwrap();
    /// assert_eq!(learner.weights(), &[0.0]);
    /// learner.end_episode();
    /// assert_eq!((learner.weights(), learner.step_length()), (&[3.0], 3.0));
    /// ```
    pub fn weights(&self) -> &[A::Weight; N] {
        self.iterate.weights()
    }

    /// The average of all iterates, the later ones weighing more (as k³): the best estimate.
    pub fn averaged(&self) -> &[A::Weight; N] {
        self.iterate.averaged()
    }

    /// ‖w − w⁻‖, the length of the last step: what a [`StopTest`](crate::stop::StopTest) asks for.
    ///
    /// ```
    /// use osculate::{LearnerConfig, StreamingLearner, stop::StopTest};
    /// let mut learner = StreamingLearner::<f32, 1>::new(LearnerConfig::predictable(), 0.5).unwrap();
    /// let mut stop = StopTest::new(1e-2, 5, 3);
    /// let stopped = (0..100).any(|_episode| {
    ///     learner.step(&[2.0], true, 6.0).unwrap();
    ///     let outcome = learner.end_episode();
    ///     stop.is_step_small(&outcome, learner.step_length())
    /// });
    /// assert!(stopped);
    /// ```
    pub fn step_length(&self) -> A::Scalar {
        A::length(self.iterate.velocity())
    }

    /// How many episodes had rows to learn from since the start or the last restart.
    pub fn steps(&self) -> u32 {
        self.iterate.steps()
    }

    /// Forgets how far the schedule has come, and the momentum, but not what was learned: for a world that has changed.
    /// Learning goes on from the [`averaged`](Self::averaged) weights, the best estimate.
    ///
    /// ```
    /// use osculate::{LearnerConfig, StreamingLearner};
    /// let mut learner = StreamingLearner::<f32, 1>::new(LearnerConfig::predictable(), 0.5).unwrap();
    /// learner.step(&[2.0], true, 6.0).unwrap();
    /// learner.end_episode();
    /// learner.restart();
    /// assert_eq!((learner.weights(), learner.step_length(), learner.steps()), (&[3.0], 0.0, 0));
    /// ```
    pub fn restart(&mut self) {
        self.iterate = Iterate::new(*self.averaged());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Q28;

    #[test]
    fn a_count_of_saturated_numbers_never_wraps() {
        let mut learner = StreamingLearner::<Q28, 1>::new(LearnerConfig::predictable(), 0.5).unwrap();
        let (features, reward) = (Q28::features(&[1.0]).unwrap(), Q28::target(1.0).unwrap());
        learner.step(&features, true, reward).unwrap();
        learner.episode.trace.saturated = u32::MAX;
        learner.episode.total.saturated = u32::MAX;
        assert_eq!(learner.end_episode().saturated, u32::MAX);
    }
}
