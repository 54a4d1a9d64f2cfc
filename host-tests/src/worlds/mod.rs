//! Data to learn from, all of it from explicit seeds.

mod chain;
mod linear;
pub mod mdp;
mod noisy;
pub mod parity_problem;

pub use chain::{Chain, Weighting};
pub use linear::{LinearSystem, row};
pub use noisy::NoisyStates;
pub use osculate_lab::dice::Dice;
