//! Board support: I²C bus, serial line, timer, watchdog and flash, behind the embedded-hal, embedded-io and
//! embedded-storage traits.

#[cfg(feature = "sensors")]
pub mod mps2;
#[cfg(feature = "board-microbit")]
pub mod nrf51;
#[cfg(any(feature = "sensors", feature = "board-microbit"))]
mod registers;
