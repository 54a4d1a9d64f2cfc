//! Why a map cannot be built.

use core::error::Error;
use core::fmt::{Display, Formatter, Result};

/// Which parameter of a feature map is invalid.
///
/// ```
/// use osculate::features::{Bounds, MapError};
/// assert_eq!(Bounds::try_new([1.0], [1.0]), Err(MapError::Bounds));
/// assert_eq!(MapError::Bounds.to_string(), "every lower bound must be finite and below its upper bound");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum MapError {
    /// A lower bound is not below its upper bound, or one of them or their distance is not finite.
    Bounds,
    /// A centre is not finite.
    Centre,
    /// A width is not positive, or it or its inverse is not finite.
    Width,
    /// An offset of a tiling is not in [0, 1).
    Offset,
}

impl MapError {
    pub(super) const fn message(self) -> &'static str {
        match self {
            Self::Bounds => "every lower bound must be finite and below its upper bound",
            Self::Centre => "centres must be finite",
            Self::Width => "widths must be finite and positive",
            Self::Offset => "offsets must be in [0, 1)",
        }
    }
}

impl Display for MapError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(self.message())
    }
}

impl Error for MapError {}
