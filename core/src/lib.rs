#![doc = include_str!("../README.md")]
#![no_std]
#![deny(unsafe_code)]
#![warn(missing_docs)]

//! # Where to start
//!
//! | I have … | use | example |
//! | --- | --- | --- |
//! | a stream of sensor readings, and want to predict the discounted sum of a signal | [`Predictor`] with [`Tracking`] | `predict_sensor` |
//! | the same in episodes, with the paper's step size | [`Predictor`] with [`Streaming`] | [`Streaming`] |
//! | episodes, or rows with known targets, and room for a log | [`Predictor`] with [`Stored`] and a [`Log`] | `save_and_restore` |
//! | actions, and a one-step model | [`Agent`] with [`LookAhead`] | `control_with_model` |
//! | actions, but no model | [`Agent`] with [`ActionValues`] | `control_without_model` |
//! | actions, and a fallback rule that is safe | [`LookAhead::within`], [`ActionValues::within`] | [`Within`] |
//! | a model with numbers that differ from house to house | [`LinearModel`] in the application's [`Model`] | [`LinearModel`] |
//! | the same, but no numbers to start from | [`LeastSquares`] | [`LeastSquares`] |
//! | a simulation | [`Sim`] around an [`Agent`] | [`Sim`] |
//! | a recording | `cargo xtask replay`, in the repository | |
//! | weights that must survive a power cut | [`Predictor::save`], [`Agent::save`], [`LinearModel::save`] | `save_and_restore` |
//!
//! # Modules, in order of data flow
//!
//! | module | takes | gives |
//! | --- | --- | --- |
//! | [`features`] | an observation | its features φ |
//! | [`rows`] | features φ and rewards | rows (φ, V) with their targets; unusable ones are dropped and counted |
//! | [`learn`] | rows | weights w, by the total projection, the curvature step ϑ, the gain η and momentum β |
//! | [`control`] | weights, observations | predictions and actions, one call per sample |
//! | [`state`] | the complete state of a learner | bytes, and back |
//! | [`arithmetic`] | | the number formats: `f32`, `f64`, fixed point |

pub mod arithmetic;
pub mod control;
pub mod features;
pub mod learn;
pub mod rows;
pub mod state;

/// Seals the traits that only this crate may implement.
mod sealed {
    pub trait Sealed {}
}

pub use arithmetic::{Arithmetic, Limit, RowError, Space};
#[cfg(feature = "fixed-point")]
pub use arithmetic::{Fixed, Q24, Q28};
pub use control::{
    ActionValues, Agent, Branch, End, Envelope, Episode, Exploration, LeastSquares, LinearModel, LookAhead, Model,
    Policy, Predictor, Random, Sim, Transition, Within, World,
};
// Every rule, with its configuration and its report.
pub use learn::*;
pub use rows::Log;
pub use state::StateError;
