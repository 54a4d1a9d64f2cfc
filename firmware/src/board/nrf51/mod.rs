//! Nordic's nRF51822, the chip of the micro:bit v1.

mod flash;
mod reset;

pub use flash::{Flash, FlashError};
pub(crate) use reset::was_locked_up;
