//! A model that starts from nothing.

use super::linear_model::LinearModel;
use crate::arithmetic::RowError;
use crate::arithmetic::backend::{Backend, Empty, Features, Row, Scalar};
use crate::arithmetic::kernels::FloatKernels;

/// Learns a [`LinearModel`] without any numbers to start from, by recursive least squares (RLS): for the first few hundred
/// rows, where the NLMS of [`LinearModel::learn`] is slow on correlated inputs.
///
/// It minimises Σ (y − W x)²/‖x‖², so a row times any power of two is the same row. `INPUTS`² numbers and as many
/// multiplications per row: for a few inputs. It forgets slowly, so it may stay for good, but a `LinearModel` is
/// cheaper, and can be saved.
///
/// ```
/// use osculate::LeastSquares;
/// let mut learner = LeastSquares::<2, 1>::new();
/// // The inputs are nearly the same, and their difference is what matters.
/// for row in 0..20 {
///     let inputs = [1.0, 1.0 + 0.25 * (row % 3) as f32];
///     learner.learn(&inputs, &[3.0 * inputs[1] - 2.0 * inputs[0]])?;
/// }
/// let mut model = *learner.model(); // from here on, or from a saved state, it follows by itself
/// assert!((model.predict(&[1.0, 1.0])[0] - 1.0).abs() < 0.01);
/// model.learn(&[1.0, 1.25], &[1.75])?;
/// # Ok::<(), osculate::RowError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastSquares<const INPUTS: usize, const OUTPUTS: usize> {
    model: LinearModel<INPUTS, OUTPUTS>,
    /// P, the inverse of Σ x xᵀ/‖x‖²: how little is known in each direction. Symmetric to the bit.
    doubt: [[f32; INPUTS]; INPUTS],
}

/// P at the start. A row weighs as much as 2¹⁰ of what there was before.
const NOTHING_KNOWN: f32 = 1024.0;
/// What every row adds to the diagonal of P: it keeps P clear of its rounding errors, 2⁻²⁴ · 2¹⁰, and lets a drifting
/// world be followed.
const FORGOTTEN: f32 = 1.0 / 16384.0;

impl<const INPUTS: usize, const OUTPUTS: usize> LeastSquares<INPUTS, OUTPUTS> {
    /// Knows nothing: W = 0.
    #[expect(clippy::new_without_default, reason = "there is one way to make it")]
    pub const fn new() -> Self {
        let mut doubt = [[0.0; INPUTS]; INPUTS];
        let mut i = 0;
        while i < INPUTS {
            doubt[i][i] = NOTHING_KNOWN;
            i += 1;
        }
        Self { model: LinearModel::from_weights([[0.0; INPUTS]; OUTPUTS]), doubt }
    }

    /// What was learned so far.
    pub const fn model(&self) -> &LinearModel<INPUTS, OUTPUTS> {
        &self.model
    }

    /// Learns from one row: the outputs that followed the inputs.
    ///
    /// # Errors
    /// As [`LinearModel::learn`]. Nothing has changed then.
    pub fn learn(&mut self, inputs: &[f32; INPUTS], outputs: &[f32; OUTPUTS]) -> Result<(), RowError> {
        // The largest input lies in [1, 2), so that nothing below overflows or underflows.
        let mut row = Row::EMPTY;
        f32::encode(&mut row, Features::Floats(inputs))?;
        let x = &row.features;
        let mut along = self.doubt.each_ref().map(|row| f32::dot(row, x));
        let sum = row.norm_squared + f32::dot(x, &along);
        let mut weights = *self.model.weights();
        for (weights, output) in weights.iter_mut().zip(outputs) {
            if !output.is_finite() {
                return Err(RowError::NonFiniteTarget);
            }
            let missing = output.scaled(-row.exponent()) - f32::dot(x, weights);
            f32::add_scaled(weights, missing / sum, &along);
            if !f32::largest(weights).is_finite() {
                return Err(RowError::TargetOutOfRange);
            }
        }
        self.model = self.model.with_weights(weights);
        // P ← P − (P x)(P x)ᵀ/sum as a product of equals, so that it stays symmetric.
        f32::multiply(&mut along, 1.0 / Scalar::sqrt(sum));
        for (i, row) in self.doubt.iter_mut().enumerate() {
            f32::add_scaled(row, -along[i], &along);
            row[i] = (row[i] + FORGOTTEN).min(NOTHING_KNOWN);
        }
        Ok(())
    }
}
