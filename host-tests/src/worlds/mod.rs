//! Data to learn from, all generated from explicit seeds.

mod chain;
mod dice;
pub mod faulty_bus;
pub mod grid;
mod linear;

pub use chain::{Chain, Weighting};
pub use dice::Dice;
pub use linear::{LinearSystem, row};
