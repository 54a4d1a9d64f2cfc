//! Board support: I²C bus, serial line, timer and watchdog, behind the embedded-hal and embedded-io traits.

#[cfg(feature = "sensors")]
pub mod mps2;
#[cfg(feature = "board-microbit")]
pub(crate) mod nrf51;
#[cfg(any(feature = "sensors", feature = "board-microbit"))]
mod registers;
