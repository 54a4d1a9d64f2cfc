//! The device's own problem, from the device's own source file.

#[path = "../../../firmware/src/problem.rs"]
mod problem;
pub use problem::*;
