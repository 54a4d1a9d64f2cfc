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
mod chip;
#[cfg(any(family = "rp", family = "stm32f4"))]
mod lamp;
#[allow(dead_code, unreachable_pub, reason = "not every board has a serial line, or its sensor there")]
mod line;
#[allow(dead_code, reason = "only chips of Nordic need it")]
mod nordic_reset;
#[allow(dead_code, reason = "some boards have drivers of their vendors")]
mod registers;
#[cfg(feature = "embassy-time")]
mod sleep;
#[cfg(feature = "thermometer")]
mod warmth;

#[cfg(feature = "reset-cause")]
pub(crate) use chosen::unwanted_reset;
#[cfg(feature = "device")]
pub use chosen::{Number, device};

/// The chip does not tell, or no watchdog of it is used.
#[cfg(not(feature = "reset-cause"))]
pub(crate) fn unwanted_reset() -> Option<osculate_apps::boot::Cause> {
    None
}
