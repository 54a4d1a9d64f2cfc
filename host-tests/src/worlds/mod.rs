//! Data to learn from, all generated from explicit seeds.

mod cart_pole;
mod chain;
mod gaussian;
pub mod grid;
mod linear;
mod mountain_car;
mod noisy;

pub use cart_pole::CartPole;
pub use chain::{Chain, Weighting};
pub use gaussian::gaussian;
pub use linear::{LinearSystem, row};
pub use mountain_car::MountainCar;
pub use noisy::NoisyStates;
pub use osculate_lab::dice::Dice;
