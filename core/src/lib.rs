#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

//! # Modules, in the order in which data flows
//!
//! | module | takes | gives |
//! | --- | --- | --- |
//! | [`arithmetic`] | | the contract between the algorithm and its numbers, and the backends `f32`, `f64` and fixed point |
//! | [`batch`] | features φ and targets V | admitted rows; unusable ones are dropped and counted |
//! | [`projection`] | rows, weights | the total projection g |
//! | [`curvature`] | rows, g | the curvature step ϑ |
//! | [`schedule`] | the update's number k | the gain η |
//! | [`momentum`] | g, ϑ, η, β | the next weights and velocity |
//! | [`learner`] | a batch | all of the above in one `update`, and its [`Outcome`] |

pub mod arithmetic;
pub mod batch;
pub mod curvature;
pub mod learner;
pub mod momentum;
pub mod projection;
pub mod schedule;

pub use arithmetic::{Arithmetic, Q24, Q24Wide, Q28, Q28Wide, RowError, Scalar};
pub use batch::Batch;
pub use learner::{ConfigError, Learner, LearnerConfig, Outcome, Verdict};
pub use schedule::Schedule;
