//! A model that is learned on the device.

use crate::arithmetic::RowError;
use crate::arithmetic::backend::{Backend, Empty, Features, Overflow, Row};
use crate::arithmetic::kernels::FloatKernels;
use crate::learn::{ConfigError, check_gain, expect_valid};
use crate::state::{Fingerprint, OVERHEAD, Persist, StateError, open, seal};

/// y = W x, learned from what happens: `OUTPUTS` numbers, such as changes of readings, that are linear in `INPUTS`
/// known ones, such as readings and the action. For the application's own [`Model`](crate::Model) to look ahead with.
///
/// Start it from the data sheet's numbers, or from those that [`LeastSquares`](crate::LeastSquares) found. By NLMS: each
/// row (x, y) moves every W_o by μ (y_o − W_o·x)/‖x‖² x, with the same constant gain μ for ever, so it follows a world that
/// drifts. A row times any power of two is the same row, but the inputs should be of about the same size.
///
/// ```
/// use osculate::{Branch, LinearModel, Model};
/// struct Room(LinearModel<2, 1>); // the change of temperature, in kelvin per minute
/// impl Room {
///     fn inputs(celsius: f32, heating: usize) -> [f32; 2] {
///         [heating as f32, (celsius - 10.0) / 8.0] // it is 10 °C outside
///     }
/// }
/// impl Model for Room {
///     type State = f32;
///     fn actions(&self, _: &f32) -> usize {
///         2
///     }
///     fn outcomes(&self, celsius: &f32, action: usize) -> impl Iterator<Item = Branch<f32>> {
///         let [change] = self.0.predict(&Self::inputs(*celsius, action));
///         core::iter::once(Branch { probability: 1.0, reward: -(celsius - 21.0).abs(), next: Some(celsius + change) })
///     }
/// }
/// let mut room = Room(LinearModel::from_weights([[0.5, -0.25]]));
/// // This room has a weaker heater. An agent's model is reached by `agent.model_mut()`.
/// let mut celsius = 18.0;
/// for minute in 0..600 {
///     let inputs = Room::inputs(celsius, minute % 2);
///     let change = 0.375 * inputs[0] - 0.25 * inputs[1];
///     room.0.learn(&inputs, &[change])?;
///     celsius += change;
/// }
/// assert!((room.0.weights()[0][0] - 0.375).abs() < 0.01);
/// # Ok::<(), osculate::RowError>(())
/// ```
///
/// Its weights can be saved, beside the agent's state:
///
/// ```
/// use osculate::LinearModel;
/// let model = LinearModel::from_weights([[0.5, -0.25], [0.0, 1.0]]);
/// let mut bytes = [0; LinearModel::<2, 2>::BYTES];
/// let length = model.save(&mut bytes)?;
/// let mut other = LinearModel::new(LinearModel::<2, 2>::GAIN);
/// other.restore(&bytes[..length])?;
/// assert_eq!(other, model);
/// # Ok::<(), osculate::StateError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearModel<const INPUTS: usize, const OUTPUTS: usize> {
    weights: [[f32; INPUTS]; OUTPUTS],
    gain: f32,
}

/// The code for models in a saved state, and this one's number among them.
const OWNER: u8 = 3;
const RULE: u8 = 1;

impl<const INPUTS: usize, const OUTPUTS: usize> LinearModel<INPUTS, OUTPUTS> {
    /// μ = 1/32: a time constant of 32 rows.
    pub const GAIN: f32 = 1.0 / 32.0;

    /// The maximum number of bytes that [`save`](Self::save) needs.
    pub const BYTES: usize = <[[f32; INPUTS]; OUTPUTS]>::BYTES + OVERHEAD;

    /// Starts from given numbers, one array per output, with the gain μ = 1/32.
    pub const fn from_weights(weights: [[f32; INPUTS]; OUTPUTS]) -> Self {
        Self { weights, gain: Self::GAIN }
    }

    /// Starts at W = 0 with another gain μ: 1 jumps to each row, and 2 or more never settles.
    ///
    /// # Panics
    /// If the gain is not positive, or not finite; in a constant that is an error of the compiler.
    #[track_caller]
    pub const fn new(gain: f32) -> Self {
        expect_valid(check_gain(gain));
        Self { weights: [[0.0; INPUTS]; OUTPUTS], gain }
    }

    /// The same with a gain that is known only at run time.
    ///
    /// # Errors
    /// [`ConfigError::Gain`] if the gain is not positive, or not finite.
    ///
    /// ```
    /// use osculate::{ConfigError, LinearModel};
    /// assert_eq!(LinearModel::<2, 1>::try_new(-0.5), Err(ConfigError::Gain));
    /// ```
    pub const fn try_new(gain: f32) -> Result<Self, ConfigError> {
        match check_gain(gain) {
            Ok(()) => Ok(Self { weights: [[0.0; INPUTS]; OUTPUTS], gain }),
            Err(error) => Err(error),
        }
    }

    /// Goes on from the given numbers.
    ///
    /// ```
    /// use osculate::LinearModel;
    /// let mut model = LinearModel::new(0.5).with_weights([[1.0, 0.0]]);
    /// model.learn(&[0.0, 2.0], &[2.0])?; // half of the way from 0 to 1
    /// assert_eq!(model.weights(), &[[1.0, 0.5]]);
    /// # Ok::<(), osculate::RowError>(())
    /// ```
    #[must_use]
    pub const fn with_weights(self, weights: [[f32; INPUTS]; OUTPUTS]) -> Self {
        Self { weights, ..self }
    }

    /// W, one array per output.
    pub const fn weights(&self) -> &[[f32; INPUTS]; OUTPUTS] {
        &self.weights
    }

    /// W x. It is not finite if x is not, or if a product leaves the range.
    pub fn predict(&self, inputs: &[f32; INPUTS]) -> [f32; OUTPUTS] {
        self.weights.each_ref().map(|weights| f32::dot(inputs, weights))
    }

    /// Learns from one row: the outputs that followed the inputs.
    ///
    /// # Errors
    /// [`RowError`] if the inputs are all zero or an input or output is not finite;
    /// [`TargetOutOfRange`](RowError::TargetOutOfRange) if a weight would leave the range. Nothing has changed then.
    ///
    /// ```
    /// use osculate::{LinearModel, RowError};
    /// let mut model = LinearModel::from_weights([[0.5, -0.25]]);
    /// assert_eq!(model.learn(&[0.0, 0.0], &[1.0]), Err(RowError::ZeroFeatures));
    /// assert_eq!(model.learn(&[1.0, 0.0], &[f32::NAN]), Err(RowError::NonFiniteTarget));
    /// ```
    pub fn learn(&mut self, inputs: &[f32; INPUTS], outputs: &[f32; OUTPUTS]) -> Result<(), RowError> {
        // Scaled such that the largest input lies in [1, 2): the norm neither overflows nor underflows.
        let mut row = Row::EMPTY;
        f32::encode(&mut row, Features::Floats(inputs))?;
        let mut moved = self.weights;
        for (weights, output) in moved.iter_mut().zip(outputs) {
            f32::set_target(&mut row, *output)?;
            f32::nlms_step(weights, &row, self.gain).map_err(|Overflow| RowError::TargetOutOfRange)?;
        }
        self.weights = moved;
        Ok(())
    }

    /// Writes W to bytes. Returns their number.
    ///
    /// # Errors
    /// [`StateError::NoRoom`] if the buffer is too short; [`BYTES`](Self::BYTES) bytes are always enough.
    pub fn save(&self, bytes: &mut [u8]) -> Result<usize, StateError> {
        seal(bytes, Self::FINGERPRINT, |writer| self.weights.write(writer))
    }

    /// Continues with the W that was [saved](Self::save).
    ///
    /// # Errors
    /// [`StateError`] says why the bytes were rejected; nothing has changed in that case.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        let mut reader = open(bytes, Self::FINGERPRINT)?;
        let mut weights = [[0.0_f32; INPUTS]; OUTPUTS];
        if reader.remaining() != <[[f32; INPUTS]; OUTPUTS]>::BYTES {
            return Err(StateError::OtherSize);
        }
        weights.read(&mut reader);
        if !weights.as_flattened().iter().all(|weight| weight.is_finite()) {
            return Err(StateError::NonFinite);
        }
        self.weights = weights;
        Ok(())
    }

    const FINGERPRINT: Fingerprint =
        Fingerprint { owner: OWNER, rule: RULE, arithmetic: f32::ID, features: INPUTS as u16 };
}
