//! Learning without a log: memory use does not grow with the episode.
//!
//! w is constant during an episode, and the curvature may be taken along the *previous* direction, so no row is needed
//! twice. A trace carries each reward back to all earlier states at once.

mod config;
mod state;
#[cfg(all(test, feature = "fixed-point"))]
mod tests;

use crate::arithmetic::backend::{Empty, Features, Overflow, Persist, Scalar, StreamStep, StreamSums};
use crate::arithmetic::{Arithmetic, Limit, RowError, Space};
use crate::learn::config::{ConfigError, expect_valid};
use crate::learn::curvature::PastCurvature;
use crate::learn::iterate::Iterate;
use crate::learn::learner::{Episodic, Learner};
use crate::learn::state::EpisodicState;
use crate::learn::update::{Update, Verdict};
use crate::rows::{Marks, NO_STATE, Open, VisitSet};
use crate::sealed::Sealed;
use crate::state::{Reader, StateError, Writer};
pub use config::StreamingConfig;

/// Learns step by step, without a log: seven vectors of n numbers and a row, however long the episode.
///
/// Per step, with ĝ the previous episode's direction: z ← γz; on a first visit z += φ/‖φ‖², g += ((φ·w)/‖φ‖²) φ and
/// c += ((φ·ĝ)/‖φ‖²) φ; then g −= R z. At the end of the episode, g is exactly the total projection of its first-visit
/// rows.
///
/// The weights move when the episode ends. A stream without episodes needs artificial ends, for example every 256
/// steps.
///
/// In fixed point the trace has a limited range: features should be near 1 (2⁻⁴ to 2⁴), or be scaled by a power of two
/// per column.
///
/// ```
/// use osculate::{Predictor, Streaming, StreamingConfig, words};
/// // Two states: only the first visit to each is a row.
/// let learner = Streaming::<f32, 2, { words(2) }>::by_state(StreamingConfig::new(0.5));
/// let mut predictor = Predictor::new(learner);
/// for _episode in 0..200 {
///     predictor.step_at(0, None, &[1.0, 0.0]).unwrap();
///     predictor.step_at(1, 0.0, &[0.0, 1.0]).unwrap();
///     predictor.step_at(0, 0.0, &[1.0, 0.0]).unwrap();
///     predictor.finish_with(8.0);
///     predictor.end();
/// }
/// let [a, b] = *predictor.estimate();
/// assert!((a - 2.0).abs() < 1e-3 && (b - 4.0).abs() < 1e-3);
/// ```
#[derive(Clone, Debug)]
pub struct Streaming<A: Arithmetic, const N: usize, const WORDS: usize = 0> {
    config: StreamingConfig,
    iterate: Iterate<Space<A, N>>,
    past: PastCurvature<A::Scalar>,
    /// The direction of the previous update, if it had one.
    previous: A::Direction<N>,
    has_previous: bool,
    visits: VisitSet<WORDS>,
    /// The row of the step that waits for its reward.
    row: A::Row<N>,
    marks: Marks<u32>,
    sums: StreamSums<A, N>,
    /// The rows of the episode, and whether there is room for another.
    tau: u32,
    full: bool,
}

/// The number of words that [`Streaming::by_state`] needs for the states 0 … `states` − 1.
///
/// ```
/// assert_eq!(osculate::words(64), 2);
/// ```
pub const fn words(states: usize) -> usize {
    states.div_ceil(u32::BITS as usize)
}

impl<A: Arithmetic, const N: usize> Streaming<A, N> {
    /// A learner at w = 0 for which every step is a row, with a configuration that is a constant.
    ///
    /// # Panics
    /// If a parameter is out of range; in a constant that is an error of the compiler, which names it.
    ///
    /// ```compile_fail,E0080
    /// use osculate::{Streaming, StreamingConfig};
    /// static LEARNER: Streaming<f32, 4> = Streaming::new(StreamingConfig { beta: 2.0, ..StreamingConfig::DEFAULT });
    /// ```
    ///
    /// ```
    /// use osculate::{Streaming, StreamingConfig};
    /// static LEARNER: Streaming<f32, 4> = Streaming::new(StreamingConfig::DEFAULT);
    /// # let _ = &LEARNER;
    /// ```
    #[inline(always)]
    #[track_caller]
    pub const fn new(config: StreamingConfig) -> Self {
        Self::by_state(config)
    }

    /// The same with a configuration that is known only at run time.
    ///
    /// # Errors
    /// [`ConfigError`] names the parameter that is out of range.
    ///
    /// ```
    /// use osculate::{Streaming, StreamingConfig};
    /// let beta = 2.0; // from a command line
    /// assert!(Streaming::<f32, 4>::try_new(StreamingConfig { beta, ..StreamingConfig::DEFAULT }).is_err());
    /// ```
    #[inline(always)]
    pub const fn try_new(config: StreamingConfig) -> Result<Self, ConfigError> {
        Self::try_by_state(config)
    }
}

impl<A: Arithmetic, const N: usize, const WORDS: usize> Streaming<A, N, WORDS> {
    /// A learner at w = 0 for which only the first visit to a state is a row, for states numbered from 0 to 32·`WORDS`
    /// − 1.
    ///
    /// # Panics
    /// As [`new`](Streaming::new).
    #[inline(always)]
    #[track_caller]
    pub const fn by_state(config: StreamingConfig) -> Self {
        expect_valid(config.check());
        Self::with_valid(config)
    }

    /// The same with a configuration that is known only at run time.
    ///
    /// # Errors
    /// [`ConfigError`] names the parameter that is out of range.
    ///
    /// ```
    /// use osculate::{Streaming, StreamingConfig};
    /// let gamma = 0.5; // from a command line
    /// assert!(Streaming::<f32, 4, 2>::try_by_state(StreamingConfig::try_new(gamma)?).is_ok());
    /// # Ok::<(), osculate::ConfigError>(())
    /// ```
    #[inline(always)]
    pub const fn try_by_state(config: StreamingConfig) -> Result<Self, ConfigError> {
        match config.check() {
            Ok(()) => Ok(Self::with_valid(config)),
            Err(error) => Err(error),
        }
    }

    #[inline(always)]
    const fn with_valid(config: StreamingConfig) -> Self {
        Self {
            config,
            iterate: Iterate::new(Empty::EMPTY),
            past: Empty::EMPTY,
            previous: Empty::EMPTY,
            has_previous: false,
            visits: VisitSet::EMPTY,
            row: Empty::EMPTY,
            marks: Marks::EMPTY,
            sums: Empty::EMPTY,
            tau: 0,
            full: false,
        }
    }

    #[inline]
    fn open_with(
        &mut self,
        state: Option<u32>,
        encode: impl FnOnce(&mut A::Row<N>) -> Result<(), RowError>,
    ) -> Result<(), RowError> {
        self.marks.open = Open::None;
        let (state, seen) = match state {
            None => (NO_STATE, Some(false)),
            Some(state) => (state, self.visits.contains(state)),
        };
        let Some(seen) = seen.filter(|_| !self.full) else {
            return self.fill();
        };
        if !self.marks.open(seen.then_some(state)) {
            return Ok(());
        }
        if self.tau as usize >= A::MAX_ROWS {
            return self.fill();
        }
        let encoded = encode(&mut self.row);
        self.marks.opened(encoded.map(|()| state)).map(|_| ())
    }

    fn learn_from(&mut self, target: f32, features: Features<'_, A, N>) -> Result<(), RowError> {
        // The row that waits for its reward already has its place.
        let taken = self.tau.saturating_add(matches!(self.marks.open, Open::First(_)).into());
        if self.full || taken as usize >= A::MAX_ROWS {
            return self.fill();
        }
        let mut row = Empty::EMPTY;
        let encoded = A::encode(&mut row, features).and_then(|()| A::set_target(&mut row, A::number(target)?));
        self.marks.counted(encoded)?;
        let direction = self.has_previous.then_some(&self.previous);
        let step = StreamStep { row: Some(&row), reward: None, weights: &self.iterate.weights, direction };
        A::stream_step(&mut self.sums, &step);
        self.tau = self.tau.saturating_add(1);
        Ok(())
    }

    fn fill(&mut self) -> Result<(), RowError> {
        self.full = true;
        Err(RowError::Full(Limit::Rows))
    }

    fn clear(&mut self) {
        self.visits = VisitSet::EMPTY;
        self.marks = Marks::EMPTY;
        self.sums = Empty::EMPTY;
        (self.tau, self.full) = (0, false);
    }

    fn update(&mut self, update: &mut Update) -> Result<Verdict, Overflow> {
        let total = A::normalise_residuals(&self.sums.total)?;
        let (c_norm, c_exponent) = A::projections_norm(&mut self.sums.projected)?;
        let norm = A::norm(&total);
        update.g_norm = (norm.scaled(A::exponent(&total)) / A::Scalar::from_count(update.tau)).to_f32();
        let cap = self.config.theta_cap.map_or(A::Scalar::MAX, A::Scalar::from);
        let theta = self.past.ratio(update.tau, cap);
        update.theta = theta.to_f32();
        let gain = self.config.schedule.gain::<A::Scalar>(update.k) * theta;
        let saturated = self.iterate.advance(&total, gain, self.config.beta.into())?;
        let summed = A::saturated(&total).saturating_add(A::trace_saturated(&self.sums.trace));
        update.saturated = summed.saturating_add(saturated);
        if self.has_previous {
            let exponent = A::exponent(&self.previous);
            let c_norm = c_norm.scaled(c_exponent).scaled(exponent);
            self.past.observe(A::norm(&self.previous).scaled(exponent), c_norm);
        }
        // A direction of length zero has no curvature.
        self.has_previous = norm > A::Scalar::ZERO;
        self.previous = total;
        Ok(Verdict::Stepped)
    }
}

impl<A: Arithmetic, const N: usize, const WORDS: usize> Sealed for Streaming<A, N, WORDS> {}

impl<A: Arithmetic, const N: usize, const WORDS: usize> Learner for Streaming<A, N, WORDS> {
    type Space = Space<A, N>;
    type Report = Update;
    const MAX_BYTES: usize = <Self as Persist>::BYTES;

    fn gamma(&self) -> A::Scalar {
        self.config.gamma.into()
    }

    fn weights(&self) -> &[A::Weight; N] {
        &self.iterate.weights
    }

    fn set_weights(&mut self, weights: [A::Weight; N]) {
        self.iterate = Iterate::new(weights);
    }

    fn restart(&mut self) {
        self.iterate = Iterate::new(self.iterate.averaged);
    }

    fn estimate(&self) -> &[A::Weight; N] {
        &self.iterate.averaged
    }

    fn observe(&mut self, state: Option<u32>, features: &[f32; N]) -> Result<(), RowError> {
        self.open_with(state, |row| A::encode(row, Features::Floats(features)))
    }

    fn observe_raw(&mut self, state: Option<u32>, features: &A::Raw<N>) -> Result<(), RowError> {
        self.open_with(state, |row| A::encode(row, Features::Raw(features)))
    }

    fn open_value(&self) -> Option<A::Number> {
        matches!(self.marks.open, Open::First(_)).then(|| A::value(&self.row, &self.iterate.averaged))
    }

    fn reward(&mut self, reward: Option<f32>) {
        let reward = reward.and_then(|reward| A::number(reward).ok());
        let (open, Some(reward)) = (self.marks.close(reward.is_some()), reward) else { return };
        if open == Open::None {
            return;
        }
        let step = StreamStep {
            row: matches!(open, Open::First(_)).then_some(&self.row),
            reward: Some((reward, self.config.gamma.into())),
            weights: &self.iterate.weights,
            direction: self.has_previous.then_some(&self.previous),
        };
        A::stream_step(&mut self.sums, &step);
        if let Open::First(state) = open {
            self.tau = self.tau.saturating_add(1);
            // Marked as visited only once its row is accepted; if it is not, a later visit can still be the first.
            self.visits.insert(state);
        }
    }

    fn learn(&mut self, target: f32, features: &[f32; N]) -> Result<(), RowError> {
        self.learn_from(target, Features::Floats(features))
    }

    fn learn_raw(&mut self, target: f32, features: &A::Raw<N>) -> Result<(), RowError> {
        self.learn_from(target, Features::Raw(features))
    }

    fn full(&self) -> Option<Limit> {
        self.full.then_some(Limit::Rows)
    }

    /// Rewards that were not received are not learned from.
    fn bootstrap(&mut self, _: Option<A::Number>) {}

    fn report(&self) -> Update {
        Update::new(self.iterate.next(), self.tau, self.marks.dropped)
    }

    fn end(&mut self) -> Update {
        let mut update = self.report();
        if update.tau > 0 {
            self.iterate.count();
            update.verdict = self.update(&mut update).unwrap_or(Verdict::Overflow);
        }
        self.clear();
        update
    }

    fn abandon(&mut self) {
        self.clear();
    }

    fn rule(&self) -> u8 {
        4
    }

    fn write(&self, writer: &mut Writer<'_>) {
        Persist::write(self, writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), StateError> {
        self.read_checked(reader)
    }
}

impl<A: Arithmetic, const N: usize, const WORDS: usize> Episodic for Streaming<A, N, WORDS> {
    fn state(&self) -> EpisodicState<'_, Space<A, N>> {
        self.iterate.state(&self.past)
    }

    fn close_rows(&mut self) {
        self.marks.no_more_rows = true;
    }
}
