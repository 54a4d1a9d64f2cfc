//! From weights to predictions and actions: the types that your loop calls.

mod action_values;
mod agent;
mod envelope;
mod episode;
mod exploration;
mod least_squares;
mod linear_model;
mod look_ahead;
mod model;
mod policy;
mod predictor;
mod random;
mod sim;

pub use action_values::ActionValues;
pub use agent::Agent;
pub use envelope::{Envelope, Within};
pub use episode::{End, Episode};
pub use exploration::Exploration;
pub use least_squares::LeastSquares;
pub use linear_model::LinearModel;
pub use look_ahead::LookAhead;
#[doc(hidden)]
pub use look_ahead::OneStep;
pub use model::{Branch, Model};
pub use policy::Policy;
pub use predictor::Predictor;
pub use random::Random;
pub use sim::{Sim, Transition, World};
