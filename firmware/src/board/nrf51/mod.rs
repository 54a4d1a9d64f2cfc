//! Nordic's nRF51822, the chip of the micro:bit v1.

mod flash;

pub use flash::{Flash, FlashError};
