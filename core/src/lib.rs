#![doc = include_str!("../README.md")]
#![no_std]
#![deny(unsafe_code)]
#![warn(missing_docs)]

//! # Modules, in the order in which data flows
//!
//! | module | takes | gives |
//! | --- | --- | --- |
//! | [`arithmetic`] | | the contract between the algorithm and its numbers, and the backends `f32`, `f64` and fixed point |
//! | [`features`] | an observation | its features φ |
//! | [`batch`] | features φ and targets V | admitted rows; unusable ones are dropped and counted |
//! | [`episode`], [`recomputed`] | steps: state, features, reward | the rows of first visits, with their returns |
//! | [`projection`] | rows, weights | the total projection g |
//! | [`curvature`] | rows, g | the curvature step ϑ |
//! | [`schedule`] | the update's number k | the gain η |
//! | `momentum` | g, ϑ, η, β | the next weights and velocity |
//! | [`learner`] | a batch | all of the above in one `update`, and its [`Outcome`] |
//! | [`streaming`], [`visits`] | steps | the same without a log, in memory that does not grow |
//! | [`stop`] | outcomes | whether the steps have become small |
//! | [`episodic`] | steps of an episode | the same update when the episode ends, from a log or without one |
//! | [`world`] | an action | reward and next state; and what a model knows of them beforehand |
//! | [`policy`] | a state, weights | an action; and the row that it is learned from |
//! | [`random`] | a generator of the caller's | the same draws on every machine |
//! | [`sim`] | world, policy, learner | the paper's outer loop: episode after episode, less and less exploring |

pub mod arithmetic;
pub mod batch;
pub mod config;
pub mod curvature;
pub mod episode;
pub mod episodic;
pub mod features;
pub mod learner;
mod momentum;
pub mod outcome;
pub mod policy;
pub mod projection;
pub mod random;
pub mod recomputed;
pub mod schedule;
pub mod sim;
pub mod stop;
pub mod streaming;
pub mod visits;
pub mod world;

pub use arithmetic::{Arithmetic, Q24, Q24Wide, Q28, Q28Wide, RowError, Scalar};
pub use batch::Batch;
pub use config::{ConfigError, LearnerConfig, Rule};
pub use episode::{Episode, Recorded};
pub use learner::Learner;
pub use outcome::{Outcome, Verdict};
pub use schedule::Schedule;
pub use sim::{Sim, SimConfig};
pub use streaming::StreamingLearner;
