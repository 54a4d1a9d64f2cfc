//! Board support: I²C bus, serial line, timer and flash, behind the embedded-hal, embedded-io and embedded-storage
//! traits.

#[cfg(feature = "sensors")]
pub mod mps2;
#[cfg(feature = "flash")]
pub mod nrf51;
mod registers;
