//! Everything a learner knows, as bytes: what survives a power cut.
//!
//! [`Predictor::save`](crate::Predictor::save) and [`Agent::save`](crate::Agent::save) write a *state*, `restore` reads one
//! back and goes on bit for bit where it was saved, in the middle of an episode, too. Where the bytes are kept is up to the
//! application: flash, an EEPROM, a file.
//!
//! A state begins with what it is of, and ends with a CRC-32. One that is damaged, or of another rule, arithmetic or number
//! of features, is [refused with the reason](StateError), and the learner is as it was. A checksum is no signature: numbers
//! that no learner has, but that somebody has sealed, are brought into range, so that nothing overflows. The bytes are described in
//! `docs/checkpoint-format.md`.
//!
//! ```
//! use osculate::{Predictor, StateError, Streaming, StreamingConfig};
//! let mut predictor = Predictor::new(Streaming::<f32, 2>::new(StreamingConfig::DEFAULT)?);
//! predictor.step(None, &[1.0, 0.5])?;
//! let mut bytes = [0; 256];
//! let length = predictor.save(&mut bytes)?;
//!
//! let mut after_reset = Predictor::new(Streaming::<f32, 2>::new(StreamingConfig::DEFAULT)?);
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
