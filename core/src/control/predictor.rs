//! Predicts what a signal will add up to, one call per sample.

use crate::arithmetic::backend::Empty;
use crate::arithmetic::{Arithmetic, RowError};
use crate::learn::{Learner, Outcome, Space};
use crate::rows::Key;
use crate::state::{Fingerprint, OVERHEAD, StateError, open, seal};

/// Predicts the discounted sum of a signal from features of the present, and learns from what follows.
///
/// [`step`](Self::step) once per sample is all there is to it; weights move when an episode [ends](Self::end). In a stream
/// without episodes, end one every few hundred samples.
///
/// ```
/// use osculate::{Predictor, Streaming, StreamingConfig};
/// let config = StreamingConfig { gamma: 0.5, ..StreamingConfig::DEFAULT };
/// let mut predictor = Predictor::new(Streaming::<f32, 2>::new(config)?);
/// let mut prediction = 0.0;
/// for sample in 0..20_000_u32 {
///     // A signal that is 1 at every other sample, and features that tell which.
///     let odd = sample % 2 == 1;
///     let phi = if odd { [1.0, 0.0] } else { [0.0, 1.0] };
///     let signal = if odd { 1.0 } else { 0.0 };
///     prediction = predictor.step(signal, &phi)?;
///     if sample % 256 == 255 {
///         predictor.end();
///     }
/// }
/// // After an odd sample comes 0, then 1, then 0: ½ + ⅛ + … = ⅔ of the way, the last of each episode aside.
/// assert!((prediction - 2.0 / 3.0).abs() < 0.02);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Episodes have a first and a last sample, and states may be known by number:
///
/// ```
/// use osculate::{Predictor, Streaming, StreamingConfig};
/// let config = StreamingConfig { gamma: 0.5, ..StreamingConfig::DEFAULT };
/// let mut predictor = Predictor::new(Streaming::<f32, 2, 1>::by_state(config)?);
/// for _ in 0..200 {
///     predictor.begin(&[1.0, 0.0])?;
///     predictor.step_at(1, 0.0, &[0.0, 1.0])?;
///     predictor.close_rows(); // what follows only completes the returns
///     predictor.step_at(0, 0.0, &[1.0, 0.0])?;
///     predictor.last(8.0);
///     predictor.end();
/// }
/// assert!((predictor.value(&[1.0, 0.0])? - 2.0).abs() < 1e-3 && (predictor.estimate()[1] - 4.0).abs() < 1e-3);
/// assert!(predictor.updates() == 200 && predictor.step_length() < 1e-3);
///
/// // Everything it knows goes out as bytes, and comes back.
/// let mut bytes = [0; Predictor::<Streaming<f32, 2, 1>>::BYTES];
/// let length = predictor.save(&mut bytes)?;
/// let mut other = Predictor::new(Streaming::<f32, 2, 1>::by_state(config)?);
/// other.restore(&bytes[..length])?;
/// assert_eq!(other.weights(), predictor.weights());
///
/// // The world has changed: large steps again, from what is known.
/// other.restart();
/// assert_eq!((other.updates(), other.estimate()), (0, predictor.estimate()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Predictor<L> {
    learner: L,
}

/// What an `f64` holds may be too large to be handed out.
pub(super) fn finite(value: f32) -> Result<f32, RowError> {
    if value.is_finite() { Ok(value) } else { Err(RowError::NonFiniteFeature) }
}

/// Predictors in a saved state.
const OWNER: u8 = 1;

impl<L> Predictor<L> {
    /// A predictor that learns by a rule: [`Streaming`](crate::Streaming) or [`Stored`](crate::Stored).
    ///
    /// ```
    /// use osculate::{Predictor, Streaming, StreamingConfig};
    /// // In a `static`: an error in the configuration ends the compilation.
    /// static PREDICTOR: Predictor<Streaming<f32, 4>> = match Streaming::new(StreamingConfig::DEFAULT) {
    ///     Ok(learner) => Predictor::new(learner),
    ///     Err(_) => panic!("the configuration"),
    /// };
    /// assert_eq!(PREDICTOR.weights(), &[0.0; 4]);
    /// ```
    #[inline(always)]
    pub const fn new(learner: L) -> Self {
        Self { learner }
    }

    /// The learner, for tests and benches.
    #[doc(hidden)]
    pub fn learner(&self) -> &L {
        &self.learner
    }

    /// The same.
    #[doc(hidden)]
    pub fn learner_mut(&mut self) -> &mut L {
        &mut self.learner
    }
}

impl<A: Arithmetic, L: Learner<Space = Space<A, N>>, const N: usize> Predictor<L> {
    /// Bytes that [`save`](Self::save) needs at the most.
    ///
    /// ```
    /// use osculate::{Predictor, Streaming};
    /// let mut bytes = [0; Predictor::<Streaming<f32, 4>>::BYTES];
    /// # let _ = &mut bytes;
    /// ```
    pub const BYTES: usize = L::MAX_BYTES + OVERHEAD;

    /// Begins an episode with its first sample, and gives the prediction. What an unfinished episode had is forgotten.
    ///
    /// # Errors
    /// [`RowError`] where the features cannot be used: the sample is dropped and counted.
    pub fn begin(&mut self, features: &[f32; N]) -> Result<f32, RowError> {
        self.learner.abandon();
        self.observe(Key::Step, features)
    }

    /// One sample: the signal that followed the last one, and the features of the present. Gives the prediction
    /// φ·w̄: what the signal will add up to from here, discounted by γ. (Not finite where no `f32` holds it.)
    ///
    /// A signal of `None`, or one that is not finite or out of range, leaves the last sample out, and is counted.
    ///
    /// # Errors
    /// [`RowError`] where the features cannot be used: the signal still counts for the samples before; this sample is
    /// dropped and counted. [`RowError::Full`] where there is no room: [`end`](Self::end) the episode.
    pub fn step(&mut self, signal: impl Into<Option<f32>>, features: &[f32; N]) -> Result<f32, RowError> {
        self.learner.close(signal.into());
        self.observe(Key::Step, features)
    }

    /// [`step`](Self::step) in a state of this number: only the first visit of an episode is learned from.
    ///
    /// # Errors
    /// As [`step`](Self::step), and [`RowError::Full`] where the learner remembers no state of this number.
    pub fn step_at(
        &mut self,
        state: u32,
        signal: impl Into<Option<f32>>,
        features: &[f32; N],
    ) -> Result<f32, RowError> {
        self.learner.close(signal.into());
        self.observe(Key::State(state), features)
    }

    /// [`step`](Self::step) with features in the arithmetic's own numbers, such as an ADC's `I1F15` for `Q28`.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    ///
    /// ```
    /// use fixed::types::I1F15;
    /// use osculate::{Predictor, Q28, Streaming, StreamingConfig};
    /// let mut predictor = Predictor::new(Streaming::<Q28, 1>::new(StreamingConfig::DEFAULT)?);
    /// predictor.step_raw(None, &[I1F15::from_bits(0x4000)])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step_raw(&mut self, signal: impl Into<Option<f32>>, features: &A::Raw<N>) -> Result<f32, RowError> {
        self.learner.close(signal.into());
        self.learner.open_raw(Key::Step, features)?;
        let value = self.learner.open_value().map_or_else(|| self.value_of_raw(features), Ok);
        value.map(A::to_f32)
    }

    /// Where no row is wanted, one is made for the prediction alone.
    fn value_of_raw(&self, features: &A::Raw<N>) -> Result<A::Number, RowError> {
        let mut row = Empty::EMPTY;
        match A::encode_raw(&mut row, features) {
            Err(RowError::ZeroFeatures) => Ok(Empty::EMPTY),
            encoded => encoded.map(|()| A::value(&row, self.learner.estimate())),
        }
    }

    fn observe(&mut self, key: Key, features: &[f32; N]) -> Result<f32, RowError> {
        self.learner.open(key, features)?;
        match self.learner.open_value() {
            Some(value) => Ok(A::to_f32(value)),
            None => self.value(features),
        }
    }

    /// A row whose target is known: features, and what they should have predicted.
    ///
    /// # Errors
    /// [`RowError`] where the row was dropped, and counted; [`RowError::Full`] where there is no room for it.
    ///
    /// ```
    /// use osculate::{Log, Predictor, Stored, StoredConfig};
    /// let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<f32, 2, 1, 2>::new())?);
    /// predictor.learn(2.0, &[1.0, 0.0])?;
    /// predictor.learn(5000.0, &[1000.0, 1000.0])?; // rows may come in any units
    /// assert_eq!(predictor.end().tau, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn learn(&mut self, target: f32, features: &[f32; N]) -> Result<(), RowError> {
        self.learner.learn(target, features)
    }

    /// From here to the end of the episode samples only complete the returns of those before; none is a row of its own.
    pub fn close_rows(&mut self) {
        self.learner.close_rows();
    }

    /// The signal that followed the last sample, where no other sample comes: an episode's last reward.
    pub fn last(&mut self, signal: impl Into<Option<f32>>) {
        self.learner.close(signal.into());
    }

    /// Ends the episode and learns from it. A sample whose signal has not come is left out.
    pub fn end(&mut self) -> Outcome {
        self.learner.end()
    }

    /// Ends an episode that was cut short, before this sample: one-step targets count its value.
    ///
    /// ```
    /// use osculate::{Log, Predictor, Stored, StoredConfig, Targets};
    /// let config = StoredConfig { gamma: 0.5, targets: Targets::OneStep, ..StoredConfig::PAPER };
    /// let mut predictor = Predictor::new(Stored::new(config, Log::<f32, 2, 4, 4>::new())?).with_weights([0.0, 8.0]);
    /// predictor.begin(&[1.0, 0.0]).unwrap();
    /// predictor.last(1.0);
    /// predictor.cut(&[0.0, 1.0]);
    /// assert_eq!(predictor.weights(), &[5.0, 8.0]); // 1 + ½ · 8
    /// # Ok::<(), osculate::ConfigError>(())
    /// ```
    pub fn cut(&mut self, features: &[f32; N]) -> Outcome {
        if let Ok(value) = A::value_of(features, self.learner.weights()) {
            self.learner.cut(value);
        }
        self.learner.end()
    }

    /// φ·w̄ of features, without learning.
    ///
    /// # Errors
    /// [`RowError`] where the features, or the value, cannot be used.
    pub fn value(&self, features: &[f32; N]) -> Result<f32, RowError> {
        finite(A::to_f32(A::value_of(features, self.learner.estimate())?))
    }

    /// w, as the last update left it. [`estimate`](Self::estimate) is the one to report, unless the gain is constant.
    pub fn weights(&self) -> &[A::Weight; N] {
        self.learner.weights()
    }

    /// w̄, what predictions are made with: the average of all iterates, the later ones weighing more (as k³), or w itself
    /// for the rules that keep no average.
    pub fn estimate(&self) -> &[A::Weight; N] {
        self.learner.estimate()
    }

    /// Starts from these weights, such as some that were learned elsewhere.
    ///
    /// ```
    /// use osculate::{Predictor, Streaming, StreamingConfig};
    /// const LEARNED_IN_THE_LAB: [f32; 2] = [0.5, -0.25];
    /// let learner = Streaming::<f32, 2>::new(StreamingConfig::DEFAULT)?;
    /// let predictor = Predictor::new(learner).with_weights(LEARNED_IN_THE_LAB);
    /// assert_eq!(predictor.value(&[1.0, 1.0]), Ok(0.25));
    /// # Ok::<(), osculate::ConfigError>(())
    /// ```
    #[must_use]
    pub fn with_weights(mut self, weights: [A::Weight; N]) -> Self {
        self.learner.set_weights(weights);
        self
    }

    /// How many episodes had rows to learn from since the start or the last restart: the k of the last one.
    pub fn updates(&self) -> u32 {
        self.learner.updates()
    }

    /// ‖w − w⁻‖, the length of the last step: what a [`StopTest`](crate::StopTest) asks for.
    pub fn step_length(&self) -> f32 {
        self.learner.step_length()
    }

    /// Forgets how far the schedule has come, and the momentum, but not what was learned: for a world that has changed.
    /// Learning goes on from the [`estimate`](Self::estimate).
    pub fn restart(&mut self) {
        self.learner.restart();
    }

    /// Writes everything that was learned, and the unfinished episode, to bytes. Gives their number.
    ///
    /// # Errors
    /// [`StateError::NoRoom`] where the buffer is too short; [`BYTES`](Self::BYTES) are always enough.
    pub fn save(&self, bytes: &mut [u8]) -> Result<usize, StateError> {
        seal(bytes, self.fingerprint(), |writer| self.learner.write(writer))
    }

    /// Goes on where [`save`](Self::save) was called, bit for bit.
    ///
    /// # Errors
    /// [`StateError`] says why the bytes are refused; nothing has changed then.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        let mut reader = open(bytes, self.fingerprint())?;
        self.learner.read(&mut reader)
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint { owner: OWNER, rule: self.learner.rule(), arithmetic: A::ID, features: N as u16 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Streaming, StreamingConfig};

    #[test]
    fn raw_features_have_a_prediction_where_no_row_is_wanted() {
        let learner = Streaming::<f32, 2>::new(StreamingConfig::DEFAULT).unwrap();
        let mut predictor = Predictor::new(learner).with_weights([0.5, 2.0]);
        predictor.close_rows();
        assert_eq!(predictor.step_raw(None, &[1.0, 0.25]), Ok(1.0));
        assert_eq!(predictor.step_raw(0.0, &[0.0, 0.0]), Ok(0.0));
        assert_eq!(predictor.end().tau, 0);
    }

    #[test]
    fn a_value_that_no_f32_holds_is_none() {
        let learner = Streaming::<f64, 1>::new(StreamingConfig::DEFAULT).unwrap();
        let predictor = Predictor::new(learner).with_weights([1e300]);
        assert_eq!(predictor.value(&[1.0]), Err(RowError::NonFiniteFeature));
        assert_eq!(predictor.value(&[0.0]), Ok(0.0));
    }
}
