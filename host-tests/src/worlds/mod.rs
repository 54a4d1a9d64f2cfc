//! Data to learn from, all generated from explicit seeds.

mod chain;
pub mod faulty_bus;
pub mod grid;
mod linear;
mod recording;

pub use chain::{Chain, Weighting};
pub use linear::{LinearSystem, row};
pub use osculate_lab::dice::Dice;
pub use recording::recording;
