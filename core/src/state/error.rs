//! Why a state is rejected.

use core::error::Error;
use core::fmt::{Display, Formatter, Result};

/// Why a state cannot be saved or restored. Nothing has changed in that case.
///
/// ```
/// use osculate::{Predictor, StateError, Streaming, StreamingConfig};
/// let narrow = Predictor::new(Streaming::<f32, 2>::new(StreamingConfig::DEFAULT));
/// let mut wide = Predictor::new(Streaming::<f32, 3>::new(StreamingConfig::DEFAULT));
/// let mut bytes = [0; 256];
/// let length = narrow.save(&mut bytes).unwrap();
/// assert_eq!(wide.restore(&bytes[..length]), Err(StateError::OtherSize));
/// assert_eq!(narrow.save(&mut [0; 8]), Err(StateError::NoRoom));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StateError {
    /// The buffer is too short for the state.
    NoRoom,
    /// These bytes are not a state: too short, too long, or without the right header.
    NoState,
    /// Another version of this library wrote it.
    OtherVersion,
    /// One or more bits have changed since it was written.
    Damaged,
    /// It belongs to another kind of thing: a predictor, an agent or a model.
    OtherOwner,
    /// It was learned by a different rule.
    OtherRule,
    /// It was learned in a different arithmetic.
    OtherArithmetic,
    /// It has a different number of features, states, rows or steps.
    OtherSize,
    /// A number in it is not finite.
    NonFinite,
}

impl Display for StateError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::NoRoom => "the buffer is too short for the state",
            Self::NoState => "not a saved state: bad length or magic",
            Self::OtherVersion => "the state was written by another version",
            Self::Damaged => "the state is damaged: its checksum does not match",
            Self::OtherOwner => "the state belongs to another kind of thing: a predictor, an agent or a model",
            Self::OtherRule => "the state was learned by another rule",
            Self::OtherArithmetic => "the state was learned in another arithmetic",
            Self::OtherSize => "the state has another number of features, states, rows or steps",
            Self::NonFinite => "a number in the state is not finite",
        })
    }
}

impl Error for StateError {}
