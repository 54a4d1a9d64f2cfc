//! Predicts the discounted sum of a signal, one call per sample.

use crate::arithmetic::backend::{Empty, Features, Scalar};
use crate::arithmetic::{Arithmetic, RowError, Space};
use crate::features::Rescale;
use crate::learn::{Band, Episodic, Learner, Tracking};
use crate::sealed::Sealed;
use crate::state::{Fingerprint, OVERHEAD, StateError, open, seal};

/// Predicts the discounted sum of a signal from features of the present, and learns from what follows.
///
/// Call [`step`](Self::step) once per sample. With [`Tracking`] the weights move at every sample, and a
/// stream need not end; with the other rules they move when an episode [ends](Self::end).
///
/// ```
/// use osculate::{Predictor, Tracking, TrackingConfig};
/// let config = TrackingConfig::new(0.5);
/// let mut predictor = Predictor::new(Tracking::<f32, 2>::new(config));
/// let mut prediction = 0.0;
/// for sample in 0..200_u32 {
///     // A signal that is 1 at every other sample, and features that indicate which.
///     let odd = sample % 2 == 1;
///     let phi = if odd { [1.0, 0.0] } else { [0.0, 1.0] };
///     let signal = if odd { 1.0 } else { 0.0 };
///     prediction = predictor.step(signal, &phi)?;
/// }
/// // After an odd sample comes 0, then 1, then 0: ½ + ⅛ + … = ⅔.
/// assert!((prediction - 2.0 / 3.0).abs() < 1e-3);
/// assert_eq!(predictor.learner().state().rows, 199); // the last sample waits for its signal
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Episodes have a first and a last sample, and states may be identified by number:
///
/// ```
/// use osculate::{Predictor, Streaming, StreamingConfig};
/// let config = StreamingConfig::new(0.5);
/// let mut predictor = Predictor::new(Streaming::<f32, 2, 1>::by_state(config));
/// for _ in 0..200 {
///     predictor.begin(&[1.0, 0.0])?;
///     predictor.step_at(1, 0.0, &[0.0, 1.0])?;
///     predictor.close_rows(); // the samples that follow only complete the returns
///     predictor.step_at(0, 0.0, &[1.0, 0.0])?;
///     predictor.finish_with(8.0);
///     predictor.end();
/// }
/// assert!((predictor.value(&[1.0, 0.0])? - 2.0).abs() < 1e-3 && (predictor.estimate()[1] - 4.0).abs() < 1e-3);
/// assert!(predictor.updates() == 200 && predictor.step_length() < 1e-3);
///
/// // Its complete state can be written to bytes and read back.
/// let mut bytes = vec![0; predictor.saved_len()];
/// let length = predictor.save(&mut bytes)?;
/// let mut other = Predictor::new(Streaming::<f32, 2, 1>::by_state(config));
/// other.restore(&bytes[..length])?;
/// assert_eq!(other.weights(), predictor.weights());
///
/// // The world has changed: take large steps again, starting from the current estimate.
/// other.restart();
/// assert_eq!((other.updates(), other.estimate()), (0, predictor.estimate()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Predictor<L> {
    learner: L,
}

/// An `f64` value may be too large for an `f32`.
pub(super) fn finite(value: f32) -> Result<f32, RowError> {
    if value.is_finite() { Ok(value) } else { Err(RowError::NonFiniteFeature) }
}

/// The code for predictors in a saved state.
const OWNER: u8 = 1;

impl<L> Predictor<L> {
    /// A predictor that learns by a rule, a [`Learner`].
    ///
    /// ```
    /// use osculate::{Predictor, Streaming, StreamingConfig};
    /// // In a `static`, an invalid configuration is a compile-time error.
    /// static PREDICTOR: Predictor<Streaming<f32, 4>> = Predictor::new(Streaming::new(StreamingConfig::DEFAULT));
    /// assert_eq!(PREDICTOR.weights(), &[0.0; 4]);
    /// ```
    #[inline(always)]
    pub const fn new(learner: L) -> Self {
        Self { learner }
    }

    /// The learning rule, to look at what it knows.
    pub fn learner(&self) -> &L {
        &self.learner
    }
}

impl<A: Arithmetic, L: Learner<Space = Space<A, N>>, const N: usize> Predictor<L> {
    /// The maximum number of bytes that [`save`](Self::save) needs.
    ///
    /// ```
    /// use osculate::{Predictor, Streaming};
    /// let mut bytes = [0; Predictor::<Streaming<f32, 4>>::BYTES];
    /// # let _ = &mut bytes;
    /// ```
    pub const BYTES: usize = L::MAX_BYTES + OVERHEAD;

    /// [`BYTES`](Self::BYTES), without the name of the type.
    pub const fn saved_len(&self) -> usize {
        Self::BYTES
    }

    /// Discards the unfinished episode: what follows does not follow from it. Nothing is learned or counted.
    ///
    /// ```
    /// use osculate::{Predictor, Streaming, StreamingConfig};
    /// let mut predictor = Predictor::new(Streaming::<f32, 1>::new(StreamingConfig::DEFAULT));
    /// predictor.step(None, &[1.0])?;
    /// predictor.step(2.0, &[1.0])?;
    /// predictor.abandon(); // the sensor was unplugged
    /// assert_eq!(predictor.end().tau, 0);
    /// # Ok::<(), osculate::RowError>(())
    /// ```
    pub fn abandon(&mut self) {
        self.learner.abandon();
    }

    /// Begins an episode with its first sample and returns the prediction. Any unfinished episode is discarded.
    ///
    /// # Errors
    /// [`RowError`] if the features are unusable: the sample is dropped and counted.
    pub fn begin(&mut self, features: &[f32; N]) -> Result<f32, RowError> {
        self.learner.abandon();
        self.observe(None, features)
    }

    /// One sample: the signal that followed the last sample, and the current features. Returns the prediction φ·w̄: the
    /// sum of the signal from here on, discounted by γ. (It is not finite if it does not fit an `f32`.)
    ///
    /// If the signal is `None`, not finite or out of range, the last sample is dropped and counted.
    ///
    /// # Errors
    /// [`RowError`] if the features are unusable: the signal still counts for earlier samples, and this sample is
    /// dropped and counted. [`RowError::Full`] if there is no room: [`end`](Self::end) the episode.
    pub fn step(&mut self, signal: impl Into<Option<f32>>, features: &[f32; N]) -> Result<f32, RowError> {
        self.learner.reward(signal.into());
        self.observe(None, features)
    }

    /// [`step`](Self::step) with features in the arithmetic's native format, such as an ADC's `I1F15` for `Q28`.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    ///
    /// ```
    /// use fixed::types::I1F15;
    /// use osculate::{Predictor, Q28, Streaming, StreamingConfig};
    /// let mut predictor = Predictor::new(Streaming::<Q28, 1>::new(StreamingConfig::DEFAULT));
    /// predictor.step_raw(None, &[I1F15::from_bits(0x4000)])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step_raw(&mut self, signal: impl Into<Option<f32>>, features: &A::Raw<N>) -> Result<f32, RowError> {
        self.learner.reward(signal.into());
        self.learner.observe_raw(None, features)?;
        let value = self.learner.open_value().map_or_else(|| self.value_of_raw(features), Ok);
        value.map(A::to_f32)
    }

    /// If no row is wanted, one is made for the prediction alone.
    fn value_of_raw(&self, features: &A::Raw<N>) -> Result<A::Number, RowError> {
        let mut row = Empty::EMPTY;
        match A::encode(&mut row, Features::Raw(features)) {
            Err(RowError::ZeroFeatures) => Ok(Empty::EMPTY),
            encoded => encoded.map(|()| A::value(&row, self.learner.estimate())),
        }
    }

    fn observe(&mut self, state: Option<u32>, features: &[f32; N]) -> Result<f32, RowError> {
        self.learner.observe(state, features)?;
        match self.learner.open_value() {
            Some(value) => Ok(A::to_f32(value)),
            None => self.value(features),
        }
    }

    /// Adds a row with a known target: the features, and the value that they should have predicted.
    ///
    /// # Errors
    /// [`RowError`] if the row was dropped and counted; [`RowError::Full`] if there is no room for it.
    ///
    /// ```
    /// use osculate::{Log, Predictor, Stored, StoredConfig};
    /// let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<f32, 2, 1, 2>::NEW));
    /// predictor.learn(2.0, &[1.0, 0.0])?;
    /// predictor.learn(5000.0, &[1000.0, 1000.0])?; // rows may come in any units
    /// assert_eq!(predictor.end().tau, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn learn(&mut self, target: f32, features: &[f32; N]) -> Result<(), RowError> {
        self.learner.learn(target, features)
    }

    /// [`learn`](Self::learn) with features in the arithmetic's native format, such as an ADC's `I1F15` for `Q28`.
    ///
    /// # Errors
    /// As [`learn`](Self::learn).
    ///
    /// ```
    /// use fixed::types::I1F15;
    /// use osculate::{Predictor, Q28, Tracking, TrackingConfig};
    /// let config = TrackingConfig::new(0.0);
    /// let mut predictor = Predictor::new(Tracking::<Q28, 1>::new(config));
    /// predictor.learn_raw(0.5, &[I1F15::from_bits(0x4000)])?;
    /// assert_eq!(predictor.weights(), &[0.5]); // half of the way from 0 to 0.5/0.5
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn learn_raw(&mut self, target: f32, features: &A::Raw<N>) -> Result<(), RowError> {
        self.learner.learn_raw(target, features)
    }

    /// The signal that followed the last sample, if no further sample follows: an episode's last reward.
    pub fn finish_with(&mut self, signal: impl Into<Option<f32>>) {
        self.learner.reward(signal.into());
    }

    /// Ends the episode: a rule with episodes learns from it now, and for any other a new chain of samples begins. A
    /// sample without its signal is dropped.
    pub fn end(&mut self) -> L::Report {
        self.learner.end()
    }

    /// Ends an episode that is cut short just before this sample. One-step targets include its value.
    ///
    /// ```
    /// use osculate::{Log, Predictor, Stored, StoredConfig, Targets};
    /// let config = StoredConfig { gamma: 0.5, targets: Targets::OneStep, ..StoredConfig::PAPER };
    /// let mut predictor = Predictor::new(Stored::new(config, Log::<f32, 2, 4, 4>::NEW)).with_weights([0.0, 8.0]);
    /// predictor.begin(&[1.0, 0.0]).unwrap();
    /// predictor.finish_with(1.0);
    /// predictor.truncate(&[0.0, 1.0]);
    /// assert_eq!(predictor.weights(), &[5.0, 8.0]); // 1 + ½ · 8
    /// ```
    pub fn truncate(&mut self, features: &[f32; N]) -> L::Report {
        self.learner.bootstrap(A::value_of(features, self.learner.weights()).ok());
        self.learner.end()
    }

    /// What was learned from since the last [`end`](Self::end). Changes nothing.
    ///
    /// ```
    /// use osculate::{Predictor, Q28, Tracking, TrackingConfig, TrackingReport};
    /// let mut predictor = Predictor::new(Tracking::<Q28, 1>::new(TrackingConfig::DEFAULT));
    /// predictor.learn(100.0, &[1.0]).unwrap();
    /// let too_large = matches!(predictor.report(), TrackingReport { saturated: 1.., .. });
    /// assert!(too_large); // take `Q24`, or smaller units
    /// ```
    pub fn report(&self) -> L::Report {
        self.learner.report()
    }

    /// φ·w̄ of the features, without learning.
    ///
    /// # Errors
    /// [`RowError`] if the features or the value are unusable.
    pub fn value(&self, features: &[f32; N]) -> Result<f32, RowError> {
        finite(A::to_f32(A::value_of(features, self.learner.estimate())?))
    }

    /// w after the last update. Report [`estimate`](Self::estimate) instead, unless the gain is constant.
    pub fn weights(&self) -> &[A::Weight; N] {
        self.learner.weights()
    }

    /// w̄, the weights that predictions are made with: the average of all iterates, with later ones weighted more (as
    /// k³), or w itself for rules that keep no average.
    pub fn estimate(&self) -> &[A::Weight; N] {
        self.learner.estimate()
    }

    /// Starts from the given weights, for example weights learned elsewhere.
    ///
    /// ```
    /// use osculate::{Predictor, Streaming, StreamingConfig};
    /// const LEARNED_IN_THE_LAB: [f32; 2] = [0.5, -0.25];
    /// let learner = Streaming::<f32, 2>::new(StreamingConfig::DEFAULT);
    /// let predictor = Predictor::new(learner).with_weights(LEARNED_IN_THE_LAB);
    /// assert_eq!(predictor.value(&[1.0, 1.0]), Ok(0.25));
    /// ```
    #[must_use]
    pub fn with_weights(mut self, weights: [A::Weight; N]) -> Self {
        self.learner.set_weights(weights);
        self
    }

    /// Resets the schedule and the momentum, but keeps the learned weights: for a world that has changed.
    /// Learning continues from the [`estimate`](Self::estimate).
    pub fn restart(&mut self) {
        self.learner.restart();
    }

    /// Writes the learned state and the unfinished episode to bytes. Returns their number.
    ///
    /// # Errors
    /// [`StateError::NoRoom`] if the buffer is too short; [`BYTES`](Self::BYTES) bytes are always enough.
    pub fn save(&self, bytes: &mut [u8]) -> Result<usize, StateError> {
        seal(bytes, self.fingerprint(), |writer| self.learner.write(writer))
    }

    /// Continues from where [`save`](Self::save) was called, bit for bit.
    ///
    /// # Errors
    /// [`StateError`] says why the bytes were rejected; nothing has changed in that case.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        let mut reader = open(bytes, self.fingerprint())?;
        self.learner.read(&mut reader)
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint { owner: OWNER, rule: self.learner.rule(), arithmetic: A::ID, features: N as u16 }
    }
}

/// What only rules with episodes have.
impl<A: Arithmetic, L: Episodic<Space = Space<A, N>>, const N: usize> Predictor<L> {
    /// [`step`](Self::step) in a numbered state: only its first visit in an episode is learned from.
    ///
    /// # Errors
    /// As [`step`](Self::step), and [`RowError::Full`] if the state's number is too large for the learner.
    pub fn step_at(
        &mut self,
        state: u32,
        signal: impl Into<Option<f32>>,
        features: &[f32; N],
    ) -> Result<f32, RowError> {
        self.learner.reward(signal.into());
        self.observe(Some(state), features)
    }

    /// From here to the end of the episode, samples only complete the returns of earlier samples and do not become
    /// rows.
    pub fn close_rows(&mut self) {
        self.learner.close_rows();
    }

    /// The number of episodes with rows to learn from since the start or the last restart: the k of the last one.
    pub fn updates(&self) -> u32 {
        self.learner.state().updates
    }

    /// ‖w − w⁻‖, the length of the last step, for a [`StopTest`](crate::StopTest).
    pub fn step_length(&self) -> f32 {
        A::length(self.learner.state().velocity).to_f32()
    }
}

impl<A: Arithmetic, const N: usize> Predictor<Tracking<A, N>> {
    /// How sure the prediction for these features is; `None` with γ > 0, and before the first row.
    ///
    /// ```
    /// use osculate::{Predictor, Tracking, TrackingConfig};
    /// let config = TrackingConfig::new(0.0);
    /// let mut predictor = Predictor::new(Tracking::<f32, 1>::new(config));
    /// for sample in 0..1000 {
    ///     let noise = if sample * sample % 7 < 3 { 0.5 } else { -0.5 };
    ///     predictor.learn(3.0 + noise, &[1.0])?;
    /// }
    /// let band = predictor.band(&[1.0])?.unwrap();
    /// assert!(band.next > 0.5 && band.next < 1.2 && band.mean < 0.25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RowError`] if the features or the value are unusable.
    pub fn band(&self, features: &[f32; N]) -> Result<Option<Band>, RowError> {
        self.learner.band(features)
    }
}

impl<L> Sealed for Predictor<L> {}

impl<L: Rescale<N>, const N: usize> Rescale<N> for Predictor<L> {
    fn rescale(&mut self, growth: &[u8; N]) {
        self.learner.rescale(growth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Streaming, StreamingConfig};

    #[test]
    fn raw_features_have_a_prediction_where_no_row_is_wanted() {
        let learner = Streaming::<f32, 2>::new(StreamingConfig::DEFAULT);
        let mut predictor = Predictor::new(learner).with_weights([0.5, 2.0]);
        predictor.close_rows();
        assert_eq!(predictor.step_raw(None, &[1.0, 0.25]), Ok(1.0));
        assert_eq!(predictor.step_raw(0.0, &[0.0, 0.0]), Ok(0.0));
        assert_eq!(predictor.end().tau, 0);
    }

    #[test]
    fn a_value_that_no_f32_holds_is_none() {
        let learner = Streaming::<f64, 1>::new(StreamingConfig::DEFAULT);
        let predictor = Predictor::new(learner).with_weights([1e300]);
        assert_eq!(predictor.value(&[1.0]), Err(RowError::NonFiniteFeature));
        assert_eq!(predictor.value(&[0.0]), Ok(0.0));
    }
}
