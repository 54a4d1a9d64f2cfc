//! Learning at every sample, in streams that never end and worlds that drift.

mod alarm;
mod band;
mod estimator;
mod gain;
mod state;

use crate::arithmetic::backend::{Empty, Features, Persist, Scalar};
use crate::arithmetic::{Arithmetic, Limit, RowError, Space};
use crate::features::Rescale;
use crate::learn::config::{ConfigError, TrackingConfig};
use crate::learn::learner::Learner;
use crate::learn::outcome::{Outcome, Verdict};
use crate::rows::Key;
use crate::sealed::Sealed;
use crate::state::{Reader, StateError, Writer};
pub use band::Band;
use estimator::{Estimator, Next};

/// Learns at every sample and never freezes: true-online TD(λ) with a gain that nobody has to choose. Five vectors of n
/// numbers, no log, no episodes.
///
/// With γ = 0 each row (φ, V) pulls the weights by a share μ of the way to its hyperplane. Every few rows, what w did
/// since the last check is compared with its way from its slow average w̄: if it goes on, the target is running away,
/// and μ grows; if it turns back, μ shrinks. Errors that suddenly stay large start a probe, which learns beside w and
/// replaces it if it becomes better.
///
/// With γ > 0 the target is R + γφ′·w, and a trace carries each error back to the samples before it. The weights move
/// when the next sample arrives. States need no numbers: every sample is a row.
///
/// In an [`Outcome`], τ is the number of rows since the last one, `g_norm` the mean error |φ·w − V|/‖φ‖, and `theta`
/// the current gain μ.
///
/// ```
/// use osculate::{Predictor, Tracking, TrackingConfig};
/// let config = TrackingConfig { gamma: 0.0, ..TrackingConfig::DEFAULT };
/// let mut predictor = Predictor::new(Tracking::<f32, 2>::new(config)?);
/// for (sample, slope) in (0..2000).map(|sample| (sample, if sample < 1000 { 3.0 } else { -1.0 })) {
///     let x = (sample % 7) as f32;
///     predictor.learn(slope * x + 2.0, &[x, 1.0]).unwrap();
/// }
/// // It has followed the change.
/// let [slope, offset] = *predictor.weights();
/// assert!((slope + 1.0).abs() < 1e-3 && (offset - 2.0).abs() < 1e-3);
/// # Ok::<(), osculate::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tracking<A: Arithmetic, const N: usize> {
    config: TrackingConfig,
    /// The features in use.
    features: u16,
    estimator: Estimator<A, N>,
    /// The row of the sample that waits for its signal, or for what follows.
    row: A::Row<N>,
    waiting: Waiting<A::Number>,
    /// No more rows until the end of the episode.
    resting: bool,
    /// The rows learned from, and those dropped, since the last report.
    tau: u32,
    dropped: u32,
}

/// The sample that is not learned from yet.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Waiting<T> {
    None,
    /// It waits for its signal.
    Signal,
    /// It has its signal, and waits for the value that follows.
    Value(T),
}

impl<A: Arithmetic, const N: usize> Tracking<A, N> {
    /// A learner at w = 0.
    ///
    /// # Errors
    /// [`ConfigError`] names the parameter that is out of range.
    ///
    /// ```
    /// use osculate::{Tracking, TrackingConfig};
    /// assert!(Tracking::<f32, 4>::new(TrackingConfig { lambda: 2.0, ..TrackingConfig::DEFAULT }).is_err());
    /// ```
    #[inline(always)]
    pub const fn new(config: TrackingConfig) -> Result<Self, ConfigError> {
        if let Err(error) = config.check() {
            return Err(error);
        }
        Ok(Self {
            config,
            features: if N < u16::MAX as usize { N as u16 } else { u16::MAX },
            estimator: Estimator::new(Empty::EMPTY),
            row: Empty::EMPTY,
            waiting: Waiting::None,
            resting: false,
            tau: 0,
            dropped: 0,
        })
    }

    /// Only the first `features` are in use, and the others are always 0: the same bits as a learner of that size, whose
    /// probes and slow average take their time from the number of features.
    #[doc(hidden)]
    #[must_use]
    pub const fn padded(mut self, features: u16) -> Self {
        self.features = if features > 0 { features } else { 1 };
        self
    }

    #[inline(always)]
    fn open_with(&mut self, features: Features<'_, A, N>) -> Result<(), RowError> {
        let encoded = if let Waiting::Value(reward) = self.waiting {
            let mut learned = Ok(());
            let encoded = A::replace(&mut self.row, features, |row, value| {
                learned = self.estimator.learn(&self.config, self.features, row, reward, Next::Row(value));
            });
            match encoded {
                Ok(()) => self.count(learned),
                // Zeros do not make a row, but they have a value.
                Err(RowError::ZeroFeatures) => self.complete(reward, Next::Value(Empty::EMPTY)),
                Err(_) => self.break_chain(),
            }
            self.waiting = Waiting::None;
            encoded
        } else {
            self.lose();
            features.encode(&mut self.row)
        };
        match encoded {
            Ok(()) if self.resting => {}
            Ok(()) => self.waiting = Waiting::Signal,
            Err(_) => self.break_chain(),
        }
        encoded
    }

    #[inline(always)]
    fn learn_from(&mut self, target: f32, features: Features<'_, A, N>) -> Result<(), RowError> {
        if self.estimator.learn_row(&self.config, self.features, &features, target) {
            self.tau = self.tau.saturating_add(1);
            return Ok(());
        }
        self.learn_built(target, features)
    }

    /// The same with a row that is built first, which any features can be.
    #[inline(never)]
    fn learn_built(&mut self, target: f32, features: Features<'_, A, N>) -> Result<(), RowError> {
        let mut row = Empty::EMPTY;
        let learned = features.encode(&mut row).and_then(|()| {
            self.estimator.units = A::units(&row);
            self.estimator.learn_target(&self.config, self.features, &mut row, A::number(target)?)
        });
        match learned {
            Ok(()) => self.tau = self.tau.saturating_add(1),
            Err(_) => self.drop_one(),
        }
        learned
    }

    /// Learns from the sample that waits for what follows.
    fn follow(&mut self, next: A::Number) {
        match core::mem::replace(&mut self.waiting, Waiting::None) {
            Waiting::None => {}
            // It never got a signal.
            Waiting::Signal => self.break_chain(),
            Waiting::Value(reward) => self.complete(reward, Next::Value(next)),
        }
    }

    /// A sample that waits cannot be learned from.
    fn lose(&mut self) {
        if core::mem::replace(&mut self.waiting, Waiting::None) != Waiting::None {
            self.break_chain();
        }
    }

    fn complete(&mut self, reward: A::Number, next: Next<'_, A, N>) {
        let learned = self.estimator.learn(&self.config, self.features, &mut self.row, reward, next);
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
        self.estimator.break_chain();
    }

    fn drop_one(&mut self) {
        self.dropped = self.dropped.saturating_add(1);
    }

    fn bootstraps(&self) -> bool {
        self.config.gamma > 0.0
    }
}

impl<A: Arithmetic, const N: usize> Sealed for Tracking<A, N> {}

impl<A: Arithmetic, const N: usize> Rescale<N> for Tracking<A, N> {
    fn rescale(&mut self, growth: &[u8; N]) {
        // Its row has the old units, and so has the trace.
        self.lose();
        self.estimator.break_chain();
        self.estimator.rescale(growth);
    }
}

impl<A: Arithmetic, const N: usize> Learner for Tracking<A, N> {
    type Space = Space<A, N>;
    const MAX_BYTES: usize = <Self as Persist>::BYTES;

    fn rule(&self) -> u8 {
        5
    }

    fn gamma(&self) -> A::Scalar {
        self.config.gamma.into()
    }

    fn weights(&self) -> &[A::Weight; N] {
        &self.estimator.weights
    }

    fn estimate(&self) -> &[A::Weight; N] {
        &self.estimator.weights
    }

    fn averaged(&self) -> &[A::Weight; N] {
        &self.estimator.slow
    }

    fn velocity(&self) -> &[A::Weight; N] {
        &self.estimator.mark
    }

    fn set_weights(&mut self, weights: [A::Weight; N]) {
        self.estimator = Estimator::new(weights);
    }

    fn updates(&self) -> u32 {
        self.estimator.rows
    }

    /// ‖w − w_p‖, the way since the last check.
    fn step_length(&self) -> f32 {
        A::way(&self.estimator.mark, &self.estimator.weights)
    }

    fn restart(&mut self) {
        self.estimator = Estimator::new(self.estimator.weights);
    }

    fn open(&mut self, _: Key, features: &[f32; N]) -> Result<(), RowError> {
        self.open_with(Features::Floats(features))
    }

    fn open_raw(&mut self, _: Key, features: &A::Raw<N>) -> Result<(), RowError> {
        self.open_with(Features::Raw(features))
    }

    fn open_value(&self) -> Option<A::Number> {
        (self.waiting == Waiting::Signal).then(|| A::value(&self.row, &self.estimator.weights))
    }

    fn close(&mut self, reward: Option<f32>) {
        if self.waiting != Waiting::Signal {
            return;
        }
        let Some((signal, number)) = reward.and_then(|reward| Some((reward, A::number(reward).ok()?))) else {
            return self.lose();
        };
        self.waiting = Waiting::None;
        if self.bootstraps() {
            self.estimator.see_reward(signal, self.config.gamma);
            self.waiting = Waiting::Value(number);
        } else {
            let learned = self.estimator.learn_target(&self.config, self.features, &mut self.row, number);
            self.count(learned);
        }
    }

    fn learn(&mut self, target: f32, features: &[f32; N]) -> Result<(), RowError> {
        self.learn_from(target, Features::Floats(features))
    }

    fn learn_raw(&mut self, target: f32, features: &A::Raw<N>) -> Result<(), RowError> {
        self.learn_from(target, Features::Raw(features))
    }

    fn close_rows(&mut self) {
        self.resting = true;
    }

    fn full(&self) -> Option<Limit> {
        None
    }

    fn greedy_targets(&self) -> bool {
        self.config.greedy
    }

    fn cut(&mut self, value: A::Number) {
        if matches!(self.waiting, Waiting::Value(_)) {
            self.follow(value);
        }
    }

    fn cut_blind(&mut self) {
        if matches!(self.waiting, Waiting::Value(_)) {
            self.lose();
        }
    }

    fn end(&mut self) -> Outcome {
        self.follow(Empty::EMPTY);
        let mut outcome = Outcome::new(self.estimator.rows, self.tau, self.dropped);
        outcome.saturated = self.estimator.saturated;
        outcome.g_norm = self.estimator.alarm.mean().to_f32();
        outcome.theta = self.estimator.gain.value::<A::Scalar>(&self.config).to_f32();
        if self.tau > 0 {
            outcome.verdict = Verdict::Stepped;
        }
        (self.tau, self.dropped, self.estimator.saturated) = (0, 0, 0);
        self.abandon();
        outcome
    }

    fn abandon(&mut self) {
        self.waiting = Waiting::None;
        self.resting = false;
        self.estimator.break_chain();
    }

    fn write(&self, writer: &mut Writer<'_>) {
        Persist::write(self, writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), StateError> {
        self.read_checked(reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Predictor;

    /// Every kind of row, some of which need to be built, and a target now and then that makes weights saturate.
    #[test]
    fn rows_that_are_not_built_give_the_same_bits() {
        use crate::{Q28, Random};
        use fixed::types::I1F15;

        let config = TrackingConfig { gamma: 0.0, ..TrackingConfig::DEFAULT };
        let [mut direct, mut built] = [Tracking::<Q28, 5>::new(config).unwrap(), Tracking::new(config).unwrap()];
        let mut random = Random::new(1);
        let (mut saturated, mut refused) = (0, 0);
        for row in 0..if cfg!(miri) { 200 } else { 20_000 } {
            let mut number = || random.below(1 << 16) as u16 as i16 >> (row / 16 % 16);
            let mut features = [0; 5].map(|_| I1F15::from_bits(number()));
            match row % 50 {
                0 => features[1] = I1F15::MIN,
                1 => features = [I1F15::ZERO; 5],
                2..5 => features[0] = I1F15::from_bits(-(1 << (row % 15))),
                _ => {}
            }
            let sum = features.iter().zip([0.5, -1.0, 2.0, 0.25, 0.0]).map(|(x, w)| x.to_num::<f32>() * w).sum::<f32>();
            let target = match row % 97 {
                0 => 300.0,
                1..4 => 100.0,
                4 => f32::NAN,
                5 => 3e-9,
                _ => sum + f32::from(number()) * if row % 2000 < 1000 { 1e-6 } else { 1e-9 },
            };
            let learned = direct.learn_raw(target, &features);
            built.open(Key::Step, &features.map(I1F15::to_num)).ok();
            built.close(Some(target));
            refused += u32::from(learned.is_err());
            assert_eq!(direct.weights(), built.weights(), "row {row}: {features:?}, {target}");
            assert_eq!((direct.averaged(), direct.velocity()), (built.averaged(), built.velocity()), "row {row}");
            if row % 100 == 0 {
                let [a, b] = [direct.end(), built.end()];
                assert_eq!((a.tau, a.saturated, a.g_norm, a.theta), (b.tau, b.saturated, b.g_norm, b.theta));
                saturated += a.saturated;
            }
        }
        assert!(refused > 0 && (saturated > 0 || cfg!(miri)));
    }

    #[test]
    fn weights_from_elsewhere_survive_until_the_first_reward() {
        let config = TrackingConfig { gamma: 0.5, lambda: 0.0, ..TrackingConfig::DEFAULT };
        let mut predictor = Predictor::new(Tracking::<f32, 2>::new(config).unwrap()).with_weights([2.0, 4.0]);
        predictor.step(None, &[1.0, 0.0]).unwrap();
        predictor.step(0.0, &[0.0, 1.0]).unwrap();
        assert_eq!(predictor.weights(), &[2.0, 4.0], "0 + ½ · 4 is what the first weight says");
        // From here on no value is believed that the rewards so far could not add up to: 1/(1 − ½).
        predictor.step(1.0, &[0.0, 1.0]).unwrap();
        assert_eq!(predictor.weights(), &[2.0, 3.0], "half of the way from 4 to 1 + ½ · 2");
    }
}
