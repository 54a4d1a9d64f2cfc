//! From weights to predictions and actions: the types that your loop calls.

mod agent;
mod episode;
mod exploration;
mod model;
mod policy;
mod predictor;
mod random;
mod sim;

pub use agent::Agent;
pub use episode::{End, Episode};
pub use exploration::Exploration;
pub use model::{Likely, Model};
#[doc(hidden)]
pub use policy::Policy;
pub use policy::{ActionValues, LookAhead};
pub use predictor::Predictor;
pub use random::Random;
pub use sim::{Sim, Transition, World};
