//! Data to learn from, all of it from explicit seeds.

mod chain;
mod dice;
pub mod grid;
mod linear;
mod noisy;

pub use chain::{Chain, Weighting};
pub use dice::Dice;
pub use linear::{LinearSystem, row};
pub use noisy::NoisyStates;
