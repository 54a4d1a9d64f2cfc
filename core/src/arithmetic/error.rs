//! What can be wrong with a row, or with a result.

/// Why a row (φ, V) cannot be learned from.
///
/// ```
/// use osculate::{Arithmetic, RowError};
/// assert_eq!(f32::admit(&[0.0, 0.0]).unwrap_err(), RowError::ZeroFeatures);
/// assert_eq!(f32::admit(&[f32::NAN, 0.0]).unwrap_err(), RowError::NonFiniteFeature);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum RowError {
    /// All features are zero: the row is no hyperplane.
    ZeroFeatures,
    /// A feature is NaN or infinite.
    NonFiniteFeature,
    /// The target is NaN or infinite.
    NonFiniteTarget,
    /// The target, divided by the row's largest feature, is larger than the format can hold.
    TargetOutOfRange,
    /// The batch holds as many rows as it has room for.
    BatchFull,
}

impl core::fmt::Display for RowError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::ZeroFeatures => "all features are zero",
            Self::NonFiniteFeature => "a feature is NaN or infinite",
            Self::NonFiniteTarget => "the target is NaN or infinite",
            Self::TargetOutOfRange => "the target is out of range once the row is scaled to its largest feature",
            Self::BatchFull => "the batch is full",
        })
    }
}

impl core::error::Error for RowError {}

/// A result left the range of the format. The operation that reports it has changed nothing.
///
/// ```
/// use osculate::arithmetic::{Arithmetic, Overflow};
/// assert_eq!(f32::close([f32::INFINITY]).unwrap_err(), Overflow);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Overflow;

impl core::fmt::Display for Overflow {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("a result is out of the format's range")
    }
}

impl core::error::Error for Overflow {}
