//! Data to learn from, all generated from explicit seeds.

mod chain;
pub mod grid;
mod linear;
mod noisy;

pub use chain::{Chain, Weighting};
pub use linear::{LinearSystem, row};
pub use noisy::NoisyStates;
pub use osculate_lab::dice::Dice;
