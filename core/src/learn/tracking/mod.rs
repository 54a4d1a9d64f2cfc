//! Learning at every sample, in streams that never end and worlds that drift.

mod alarm;
mod band;
mod chain;
mod config;
mod estimator;
mod gain;
mod learner;
mod report;
mod state;
mod statistics;

use crate::arithmetic::backend::{Empty, Features};
use crate::arithmetic::{Arithmetic, RowError, Space};
use crate::learn::config::{ConfigError, expect_valid};
use crate::learn::state::TrackingState;
pub use band::Band;
use chain::Next;
pub use config::TrackingConfig;
use estimator::Estimator;
pub use report::TrackingReport;

/// Learns at every sample and never freezes: true-online TD(λ) with a gain that nobody has to choose. Five vectors of n
/// numbers, no log, no episodes.
///
/// With γ = 0 each row (φ, V) moves the weights by a share μ of their distance to its hyperplane, as NLMS does. Every few
/// rows, what w did since the last check is compared with how it had left its slow average w̄: if it goes on, it lags
/// behind, and μ grows; if it turns back, μ shrinks. Errors that suddenly stay large start a probe, which learns beside w and
/// replaces it if it becomes better.
///
/// With γ > 0 the target is R + γφ′·w, and a trace carries each error back to the samples before it. The weights move
/// when the next sample arrives. States need no numbers: every sample is a row.
///
/// ```
/// use osculate::{Predictor, Tracking, TrackingConfig};
/// let config = TrackingConfig::new(0.0);
/// let mut predictor = Predictor::new(Tracking::<f32, 2>::new(config));
/// for (sample, slope) in (0..2000).map(|sample| (sample, if sample < 1000 { 3.0 } else { -1.0 })) {
///     let x = (sample % 7) as f32;
///     predictor.learn(slope * x + 2.0, &[x, 1.0]).unwrap();
/// }
/// // It has followed the change.
/// let [slope, offset] = *predictor.weights();
/// assert!((slope + 1.0).abs() < 1e-3 && (offset - 2.0).abs() < 1e-3);
/// ```
#[derive(Clone, Debug)]
pub struct Tracking<A: Arithmetic, const N: usize> {
    waiting: Waiting,
    estimator: Estimator<A, N>,
    /// The row of the sample that waits for its signal, or for what follows.
    row: A::Row<N>,
    /// The rows learned from, and those dropped, since the last report.
    tau: u32,
    dropped: u32,
}

/// The sample that is not learned from yet.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Waiting {
    None,
    /// It waits for its signal.
    Signal,
    /// It has its signal, and waits for the value that follows.
    Value,
}

impl<A: Arithmetic, const N: usize> Tracking<A, N> {
    /// A learner at w = 0, with a configuration that is a constant.
    ///
    /// # Panics
    /// If a parameter is out of range; in a constant that is an error of the compiler, which names it.
    ///
    /// ```compile_fail,E0080
    /// use osculate::{Tracking, TrackingConfig};
    /// static LEARNER: Tracking<f32, 4> = Tracking::new(TrackingConfig { lambda: 2.0, ..TrackingConfig::DEFAULT });
    /// ```
    #[inline(always)]
    #[track_caller]
    pub const fn new(config: TrackingConfig) -> Self {
        expect_valid(config.check());
        Self::with_valid(config)
    }

    /// A learner at w = 0, with a configuration that is known only at run time.
    ///
    /// # Errors
    /// [`ConfigError`] names the parameter that is out of range.
    ///
    /// ```
    /// use osculate::{Tracking, TrackingConfig};
    /// let lambda = 2.0; // from a command line
    /// assert!(Tracking::<f32, 4>::try_new(TrackingConfig { lambda, ..TrackingConfig::DEFAULT }).is_err());
    /// ```
    #[inline(always)]
    pub const fn try_new(config: TrackingConfig) -> Result<Self, ConfigError> {
        match config.check() {
            Ok(()) => Ok(Self::with_valid(config)),
            Err(error) => Err(error),
        }
    }

    #[inline(always)]
    const fn with_valid(config: TrackingConfig) -> Self {
        let features = if N < u16::MAX as usize { N as u16 } else { u16::MAX };
        Self {
            estimator: Estimator::new(config, features, Empty::EMPTY),
            row: Empty::EMPTY,
            waiting: Waiting::None,
            tau: 0,
            dropped: 0,
        }
    }

    /// Only the first `features` are in use, and the others are always 0: the same bits as a learner of that size, whose
    /// probes and slow average take their time from the number of features. For a number that is known only at run time.
    ///
    /// ```
    /// use osculate::{Predictor, Tracking, TrackingConfig};
    /// let config = const { TrackingConfig::new(0.0) };
    /// let (small, padded) = (Tracking::<f32, 1>::new(config), Tracking::<f32, 8>::new(config).padded(1));
    /// let (mut small, mut padded) = (Predictor::new(small), Predictor::new(padded));
    /// for sample in 0..100 {
    ///     small.learn(sample as f32, &[1.0])?;
    ///     padded.learn(sample as f32, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
    /// }
    /// assert_eq!(padded.weights()[0], small.weights()[0]);
    /// # Ok::<(), osculate::RowError>(())
    /// ```
    #[must_use]
    pub const fn padded(mut self, features: u16) -> Self {
        self.estimator.features = if features > 0 { features } else { 1 };
        self
    }

    /// What it knows: what a checkpoint holds.
    ///
    /// ```
    /// use osculate::{Tracking, TrackingConfig};
    /// let learner = Tracking::<f32, 2>::new(TrackingConfig::DEFAULT);
    /// assert_eq!((learner.state().weights, learner.state().rows), (&[0.0; 2], 0));
    /// ```
    pub fn state(&self) -> TrackingState<'_, Space<A, N>> {
        let Estimator { weights, slow, mark, gain, chain, alarm, .. } = &self.estimator;
        let errors = &alarm.errors;
        TrackingState {
            weights,
            slow,
            mark,
            expected: chain.expected.map(A::to_f32),
            gain_depth: gain.depth,
            rows_since_check: gain.rows,
            mean_error: errors.mean.into(),
            cusum: errors.cusum.into(),
            mean_square: errors.mean_square.into(),
            errors: errors.count,
            probe_row: alarm.probed,
            probe_errors: [alarm.probe_error, alarm.weights_error].map(A::Scalar::into),
            value_bounds: chain.bounds,
            rows: errors.rows,
        }
    }

    #[inline(always)]
    fn open_with(&mut self, features: Features<'_, A, N>) -> Result<(), RowError> {
        let mut last = self.row.clone();
        let encoded = A::encode(&mut self.row, features);
        match (self.waiting_reward(), encoded) {
            (None, _) => self.lose(),
            (Some(reward), Ok(())) => {
                let learned = self.estimator.learn(&mut last, reward, Next::Row(&self.row));
                self.count(learned);
            }
            // Zeros do not make a row, but they have a value.
            (Some(reward), Err(RowError::ZeroFeatures)) => self.complete(reward, Next::Value(Empty::EMPTY)),
            (Some(_), Err(_)) => self.break_chain(),
        }
        self.waiting = Waiting::None;
        if encoded.is_err() {
            self.break_chain();
            return encoded;
        }
        self.waiting = Waiting::Signal;
        Ok(())
    }

    fn learn_from(&mut self, target: f32, features: Features<'_, A, N>) -> Result<(), RowError> {
        let mut row = Empty::EMPTY;
        let learned = A::encode(&mut row, features)
            .and_then(|()| self.estimator.learn(&mut row, A::number(target)?, Next::Nothing));
        match learned {
            Ok(()) => self.tau = self.tau.saturating_add(1),
            Err(_) => self.drop_one(),
        }
        learned
    }

    /// The signal of the sample that waits for what follows.
    fn waiting_reward(&self) -> Option<A::Number> {
        (self.waiting == Waiting::Value).then_some(self.estimator.chain.reward)
    }

    /// Learns from the sample that waits for what follows.
    fn follow(&mut self, next: A::Number) {
        match self.waiting_reward() {
            Some(reward) => {
                self.waiting = Waiting::None;
                self.complete(reward, Next::Value(next));
            }
            // It never got a signal, or there is none.
            None => self.lose(),
        }
    }

    /// A sample that waits cannot be learned from.
    fn lose(&mut self) {
        if core::mem::replace(&mut self.waiting, Waiting::None) != Waiting::None {
            self.break_chain();
        }
    }

    fn complete(&mut self, reward: A::Number, next: Next<'_, A, N>) {
        let learned = self.estimator.learn(&mut self.row, reward, next);
        self.count(learned);
    }

    fn count(&mut self, learned: Result<(), RowError>) {
        match learned {
            Ok(()) => self.tau = self.tau.saturating_add(1),
            Err(_) => self.break_chain(),
        }
    }

    #[cold]
    #[inline(never)]
    fn break_chain(&mut self) {
        self.drop_one();
        self.estimator.chain.cut();
    }

    fn drop_one(&mut self) {
        self.dropped = self.dropped.saturating_add(1);
    }

    fn bootstraps(&self) -> bool {
        self.estimator.bootstraps()
    }
}

#[cfg(test)]
mod tests;
