//! How sure a prediction is.

use super::Tracking;
use crate::arithmetic::backend::{Backend, Empty, Features, Row, Scalar};
use crate::arithmetic::{Arithmetic, RowError};

/// How far a target, and the mean of all targets with these features, may be from the prediction: 95 % of them are
/// nearer.
///
/// ```
/// use osculate::Band;
/// let band = Band { next: 0.8, mean: 0.1 };
/// assert!(band.mean < band.next);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Band {
    /// The next target is within ± this.
    pub next: f32,
    /// The mean is within ± this.
    pub mean: f32,
}

/// The quantile of a normal distribution that leaves 5 % outside.
const QUANTILE: f32 = 1.96;

impl<A: Arithmetic, const N: usize> Tracking<A, N> {
    /// `None` with γ > 0, where the error of a step is not that of the return, and before the first row.
    pub(crate) fn band(&self, features: &[f32; N]) -> Result<Option<Band>, RowError> {
        let mut row: Row<f32, N> = Empty::EMPTY;
        f32::encode(&mut row, Features::Floats(features))?;
        if self.bootstraps() || self.estimator.alarm.errors.rows == 0 {
            return Ok(None);
        }
        let gain = self.estimator.gain.value::<f32>(&self.estimator.config);
        let lag =
            A::minus(A::value_of(features, &self.estimator.weights)?, A::value_of(features, &self.estimator.slow)?);
        let deviation = Scalar::sqrt(self.estimator.alarm.errors.mean_square.to_f32())
            * Scalar::sqrt(row.norm_squared).scaled(row.exponent());
        let (lag, noise) = (A::to_f32(lag), deviation * Scalar::sqrt(gain / (2.0 - gain)));
        Ok(Some(Band { next: QUANTILE * deviation, mean: QUANTILE * Scalar::sqrt(noise * noise + lag * lag) }))
    }
}
