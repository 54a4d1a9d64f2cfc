#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

//! # Modules, in the order in which data flows
//!
//! | module | takes | gives |
//! | --- | --- | --- |
//! | [`arithmetic`] | | the contract between the algorithm and its numbers, and the backends `f32`, `f64` and fixed point |
//! | [`features`] | an observation | its features φ |
//! | [`batch`] | features φ and targets V | admitted rows; unusable ones are dropped and counted |
//! | [`projection`] | rows, weights | the total projection g |
//! | [`curvature`] | rows, g | the curvature step ϑ |
//! | [`schedule`] | the update's number k | the gain η |
//! | [`momentum`] | g, ϑ, η, β | the next weights and velocity |
//! | [`learner`] | a batch | all of the above in one `update`, and its [`Outcome`] |

pub mod arithmetic;
pub mod batch;
pub mod config;
pub mod curvature;
pub mod episode;
pub mod features;
pub mod learner;
pub mod momentum;
pub mod outcome;
pub mod projection;
pub mod schedule;
pub mod stop;
pub mod streaming;
pub mod visits;

pub use arithmetic::{Arithmetic, Q24, Q24Wide, Q28, Q28Wide, RowError, Scalar};
pub use batch::Batch;
pub use config::{ConfigError, LearnerConfig, Rule};
pub use episode::{Episode, Recorded};
pub use learner::Learner;
pub use outcome::{Outcome, Verdict};
pub use schedule::Schedule;
pub use streaming::StreamingLearner;
