//! The complete state of a learner as bytes, to survive a power cut.
//!
//! [`Predictor::save`](crate::Predictor::save) and [`Agent::save`](crate::Agent::save) write a *state*. `restore` reads
//! it back and continues bit for bit from where it was saved, even in the middle of an episode. The application decides
//! where to keep the bytes: flash, an EEPROM, a file. [`LinearModel::save`](crate::LinearModel::save) writes a learned
//! model in the same format, to be kept beside it.
//!
//! A state begins with a header that identifies it and ends with a CRC-32. A state that is damaged, or that belongs to
//! a different rule, arithmetic or number of features, is [rejected with the reason](StateError), and the learner is
//! unchanged. A checksum is not a signature: if a sealed state contains numbers that no learner produces, they are
//! clamped so that nothing overflows. The bytes are described in `docs/checkpoint-format.md`.
//!
//! ```
//! use osculate::{Predictor, StateError, Streaming, StreamingConfig};
//! let mut predictor = Predictor::new(Streaming::<f32, 2>::new(StreamingConfig::DEFAULT));
//! predictor.step(None, &[1.0, 0.5])?;
//! let mut bytes = [0; 256];
//! let length = predictor.save(&mut bytes)?;
//!
//! let mut after_reset = Predictor::new(Streaming::<f32, 2>::new(StreamingConfig::DEFAULT));
//! bytes[40] ^= 1;
//! assert_eq!(after_reset.restore(&bytes[..length]), Err(StateError::Damaged));
//! bytes[40] ^= 1;
//! after_reset.restore(&bytes[..length])?;
//! assert_eq!(after_reset.step(1.0, &[0.5, 1.0]), predictor.step(1.0, &[0.5, 1.0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod error;
mod format;

pub(crate) use bytes::persist;
#[doc(hidden)]
pub use bytes::{Persist, Reader, Writer};
pub use error::StateError;
pub(crate) use format::{Fingerprint, OVERHEAD, open, seal};
