//! Columns in any units, scaled while learning.

use super::{ColumnFactors, finite};
use crate::arithmetic::RowError;
use crate::arithmetic::exponent_of;
use crate::sealed::Sealed;

/// Scales each column by a power of two that follows the largest |φ_j| so far, from the first sample on.
///
/// A [`ColumnScaler`](super::ColumnScaler) looks at data first, and its factors are constants. This one needs no data:
/// when a column outgrows its factor, the factor shrinks and the learner's weights grow by the same power of two, so
/// that no value changes. That is exact, except that a weight may saturate in fixed point; then it is counted. A sample
/// that still waits for its signal at that moment is dropped and counted: at most once per power of two and column.
///
/// It works with a [`Predictor`](crate::Predictor) or an [`Agent`](crate::Agent) that learns by
/// [`Tracking`](crate::Tracking).
///
/// ```
/// use osculate::features::OnlineScaler;
/// use osculate::{Predictor, Tracking, TrackingConfig};
/// let config = TrackingConfig::new(0.0);
/// let mut predictor = Predictor::new(Tracking::<f32, 2>::new(config));
/// let mut scaler = OnlineScaler::new();
/// for sample in 0..400 {
///     // A pressure in pascals beside a constant.
///     let pressure = 100_000.0 + 500.0 * (sample % 9) as f32;
///     let phi = scaler.scale(&[pressure - 102_000.0, 1.0], &mut predictor)?;
///     predictor.learn(0.002 * (pressure - 102_000.0) + 3.0, &phi)?;
/// }
/// let [slope, offset] = scaler.factors().unscaled_weights(predictor.weights());
/// assert!((slope - 0.002).abs() < 1e-5 && (offset - 3.0).abs() < 1e-2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnlineScaler<const N: usize> {
    /// |φ_j| < 2^exponent for all φ_j so far.
    exponents: [i8; N],
}

/// No feature but 0 was seen: all others, down to the smallest normal number, are larger.
const NOTHING: i8 = i8::MIN;

impl<const N: usize> OnlineScaler<N> {
    /// A scaler that has seen nothing.
    pub const fn new() -> Self {
        Self { exponents: [NOTHING; N] }
    }

    /// A scaler that goes on from these factors, for example after a power cut.
    ///
    /// ```
    /// use osculate::features::{ColumnFactors, OnlineScaler};
    /// let stored: [i8; 2] = [-12, 0];
    /// let scaler = OnlineScaler::from_factors(&ColumnFactors::from_exponents(stored));
    /// assert_eq!(scaler.factors().exponents(), &stored);
    /// ```
    pub const fn from_factors(factors: &ColumnFactors<N>) -> Self {
        let (mut exponents, mut j) = ([0; N], 0);
        while j < N {
            exponents[j] = factors.exponents()[j].saturating_neg();
            j += 1;
        }
        Self { exponents }
    }

    /// The scaled features of a sample, after the factors and the learner have followed columns that have grown.
    ///
    /// # Errors
    /// [`RowError::NonFiniteFeature`] if a feature is not finite; nothing has changed then.
    pub fn scale(&mut self, features: &[f32; N], learner: &mut impl Rescale<N>) -> Result<[f32; N], RowError> {
        finite(features)?;
        let mut growth = [0; N];
        for ((exponent, x), growth) in self.exponents.iter_mut().zip(features).zip(&mut growth) {
            let needed = if *x == 0.0 { NOTHING } else { (exponent_of(*x) + 1).clamp(-127, 127) as i8 };
            if needed > *exponent {
                // The weight of a column without features so far has no unit yet.
                *growth = if *exponent == NOTHING { 0 } else { needed.abs_diff(*exponent) };
                *exponent = needed;
            }
        }
        if growth != [0; N] {
            learner.rescale(&growth);
        }
        Ok(self.factors().scale(features))
    }

    /// The current factors, for values and for weights in the original units.
    pub fn factors(&self) -> ColumnFactors<N> {
        ColumnFactors::from_exponents(
            self.exponents.map(|exponent| if exponent == NOTHING { 0 } else { exponent.saturating_neg() }),
        )
    }
}

impl<const N: usize> Default for OnlineScaler<N> {
    fn default() -> Self {
        Self::new()
    }
}

/// A learner whose weights can change their units. Sealed.
#[doc(hidden)]
pub trait Rescale<const N: usize>: Sealed {
    /// Multiplies the weight of each column by 2^growth.
    fn rescale(&mut self, growth: &[u8; N]);
}
