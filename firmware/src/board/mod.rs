//! Board support: one folder per family of chips, chosen by `boards.toml`. Each implements the traits of embedded-hal,
//! embedded-io and embedded-storage, and of the applications.
//!
//! A family whose boards can be a device of their own gives `nexting` two things: `device()`, with sensor, light, memory,
//! its budget and a watchdog, and `Number`, the arithmetic that suits the core. It also says in `unwanted_reset()` what the chip knows
//! about the last reset.

#[cfg(family = "mps2")]
pub mod mps2;
#[cfg(family = "nrf51")]
pub mod nrf51;
#[cfg(family = "nrf52")]
pub mod nrf52;
#[cfg(family = "rp")]
pub mod rp;
#[cfg(family = "stm32f4")]
pub mod stm32f4;

#[cfg(family = "mps2")]
pub use mps2 as chosen;
#[cfg(family = "nrf51")]
pub use nrf51 as chosen;
#[cfg(family = "nrf52")]
pub use nrf52 as chosen;
#[cfg(family = "rp")]
pub use rp as chosen;
#[cfg(family = "stm32f4")]
pub use stm32f4 as chosen;

#[cfg(feature = "lsm303agr")]
mod accelerometer;
#[cfg(any(family = "nrf51", family = "nrf52", family = "rp"))]
mod chip;
#[cfg(any(family = "nrf51", family = "stm32f4"))]
mod line_sensor;
#[cfg(any(family = "nrf51", family = "nrf52"))]
mod nordic_reset;
#[cfg(any(family = "mps2", family = "nrf51", family = "nrf52"))]
mod registers;
#[cfg(any(family = "nrf52", family = "rp"))]
mod sleep;
#[cfg(feature = "thermometer")]
mod warmth;

#[cfg(any(family = "nrf51", family = "nrf52", family = "rp"))]
pub(crate) use chosen::unwanted_reset;
#[cfg(feature = "device")]
pub use chosen::{Number, device};

/// The chip does not tell, or no watchdog of it is used.
#[cfg(not(any(family = "nrf51", family = "nrf52", family = "rp")))]
pub(crate) fn unwanted_reset() -> Option<osculate_apps::boot::Cause> {
    None
}
