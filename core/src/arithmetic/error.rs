//! Errors of rows and results.

/// Why a sample cannot be learned from.
///
/// ```
/// use osculate::{Predictor, RowError, Streaming, StreamingConfig};
/// let mut predictor = Predictor::new(Streaming::<f32, 2>::new(StreamingConfig::DEFAULT));
/// assert_eq!(predictor.step(None, &[0.0, 0.0]), Err(RowError::ZeroFeatures));
/// assert_eq!(predictor.step(1.0, &[f32::NAN, 0.0]), Err(RowError::NonFiniteFeature));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum RowError {
    /// All features are zero: the row does not define a hyperplane.
    ZeroFeatures,
    /// A feature, or a coordinate that it is computed from, is NaN or infinite.
    NonFiniteFeature,
    /// The observation lies outside the feature map.
    OutsideMap,
    /// The target or reward is NaN or infinite.
    NonFiniteTarget,
    /// The target, divided by the row's largest feature, is too large for the format.
    TargetOutOfRange,
    /// No room: the sample was not taken, and the episode must be ended or cut.
    Full(Limit),
}

/// The limit that was reached.
///
/// ```
/// use osculate::{Limit, Log, Predictor, RowError, Stored, StoredConfig};
/// let log = Log::<f32, 1, 8, 1>::NEW; // eight steps, one row
/// let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, log));
/// predictor.begin(&[1.0]).unwrap();
/// assert_eq!(predictor.step(0.5, &[2.0]), Err(RowError::Full(Limit::Rows)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Limit {
    /// No room for another step.
    // From 1 on, so that an `Option` of it is 0 where there is none, and an empty log all zeros.
    Steps = 1,
    /// No room for another row, or for a state of this number.
    Rows = 2,
}

impl core::fmt::Display for RowError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::ZeroFeatures => "all features are zero",
            Self::NonFiniteFeature => "a feature is NaN or infinite",
            Self::OutsideMap => "the observation lies outside of the feature map",
            Self::NonFiniteTarget => "the target is NaN or infinite",
            Self::TargetOutOfRange => "the target is out of range once the row is scaled to its largest feature",
            Self::Full(Limit::Steps) => "the episode has as many steps as there is room for",
            Self::Full(Limit::Rows) => "the episode has as many rows as there is room for",
        })
    }
}

impl core::error::Error for RowError {}

/// A result left the range of the format. The operation that reports it has changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;
