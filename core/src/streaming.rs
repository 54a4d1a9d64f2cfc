//! Learning without a log: memory that does not grow with the episode.
//!
//! w is constant during an episode, and the curvature may be taken along the *previous* direction, so nothing needs a
//! second look at a row. A trace carries each reward back to all states before it at once.

use crate::arithmetic::{Arithmetic, Overflow, RowError, Scalar};
use crate::config::{ConfigError, LearnerConfig};
use crate::curvature::PastCurvature;
use crate::momentum::Iterate;
use crate::outcome::{Outcome, Verdict};

/// The `Predictable` rule, step by step: seven vectors of n numbers, whatever the length of the episode.
///
/// Per step, with ĝ the previous episode's direction: z ← γz; on a first visit z += φ/‖φ‖², g += ((φ·w)/‖φ‖²) φ and
/// c += ((φ·ĝ)/‖φ‖²) φ; then g −= R z. When the episode ends, g is exactly the total projection of its first-visit rows.
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
}

impl<A: Arithmetic, const N: usize> Running<A, N> {
    fn new() -> Self {
        Self { trace: A::Trace::default(), total: A::residual_sum(), change: A::change_sum(), tau: 0, dropped: 0 }
    }
}

impl<A: Arithmetic, const N: usize> StreamingLearner<A, N> {
    /// A learner at w = 0. The config's rule is not looked at: ϑ always comes from past episodes.
    ///
    /// # Errors
    /// [`ConfigError`] names the parameter that is out of range.
    pub fn new(config: LearnerConfig<A::Scalar>, gamma: A::Scalar) -> Result<Self, ConfigError> {
        config.check()?;
        if !(gamma >= A::Scalar::ZERO && gamma <= A::Scalar::ONE) {
            return Err(ConfigError::Gamma);
        }
        let iterate = Iterate::new([A::Weight::default(); N]);
        Ok(Self { config, gamma, iterate, past: PastCurvature::default(), previous: None, episode: Running::new() })
    }

    /// One step of the episode: the features of the state that was left, whether this was its first visit (or `true`
    /// always, for every-visit learning), and the reward that came with leaving it.
    ///
    /// # Errors
    /// [`RowError`] where the step was dropped, and counted. Unusable features leave the reward to the states before; a
    /// reward that is not a number leaves everything as it was.
    pub fn step(&mut self, features: &A::Features<N>, first_visit: bool, reward: A::Target) -> Result<(), RowError> {
        let episode = &mut self.episode;
        if !A::is_usable(reward) {
            episode.dropped = episode.dropped.saturating_add(1);
            return Err(RowError::NonFiniteTarget);
        }
        let full = episode.tau as usize >= A::MAX_ROWS;
        let dropped = match first_visit.then(|| if full { Err(RowError::BatchFull) } else { A::admit(features) }) {
            Some(Ok(row)) => {
                let known = (self.iterate.weights(), self.previous.as_ref());
                let sums = [&mut episode.total, &mut episode.change];
                A::visit(&mut episode.trace, sums, &row, known, (self.gamma, reward));
                episode.tau += 1;
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

    /// Ends the episode with one update, and begins the next one.
    pub fn end_episode(&mut self) -> Outcome<A::Scalar> {
        let mut outcome = Outcome::new(self.iterate.next(), self.episode.tau, self.episode.dropped);
        if outcome.tau > 0 {
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
        let clipped = A::saturated(&total) + A::trace_saturated(&self.episode.trace);
        outcome.saturated = clipped + self.iterate.advance(&total, gain, self.config.beta)?;
        if let Some(previous) = &self.previous {
            self.past.observe(length(previous), length(&change).scaled(A::exponent(previous)));
        }
        // A direction without length has no curvature to show.
        self.previous = (norm > A::Scalar::ZERO).then_some(total);
        Ok(Verdict::Stepped)
    }

    /// w, constant during an episode.
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

    /// How many episodes have moved the weights since the start or the last restart.
    pub fn steps(&self) -> u32 {
        self.iterate.steps()
    }

    /// Forgets how far the schedule has come, and the momentum, but not what was learned: for a world that has changed.
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
        self.iterate.restart();
    }
}
