//! Board support: I²C bus, serial line and timer, behind the embedded-hal and embedded-io traits.

pub mod mps2;
mod registers;
