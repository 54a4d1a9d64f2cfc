//! Data to learn from, all generated from explicit seeds.

mod chain;
pub mod faulty_bus;
pub mod grid;
mod linear;

pub use chain::{Chain, Weighting};
pub use linear::{LinearSystem, row};
pub use osculate_lab::dice::Dice;
