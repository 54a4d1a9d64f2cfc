//! Data to learn from, all of it from explicit seeds.

mod dice;
mod linear;
pub mod parity_problem;

pub use dice::Dice;
pub use linear::{LinearSystem, row};
