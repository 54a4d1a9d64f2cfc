//! What is particular to a board: its bus, its serial line, its clock, as embedded-hal and embedded-io traits.

pub mod mps2;
mod registers;
