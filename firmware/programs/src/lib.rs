//! Test programs: what a board and the host compute both, for the host to compare. No application needs them.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`grid`] | a small decision problem with a known solution |
//! | [`drift`] | a stream that drifts and jumps, learned from at every sample |
//! | [`resume`] | saves and restores at every step |
//! | [`keep`] | stores checkpoints, to be interrupted |
//! | [`soak`] | the room in a house that goes wrong all the time |
//! | [`tmp105`] | a thermometer, for worlds without one |
//! | [`count`] | the cost of a part of the learner |
//! | [`sizes`] | the numbers of features that are measured |
//! | [`float_cases`] | the floating-point numbers that everything relies on |
//! | [`report`](mod@report) | what these programs tell the host |

#![no_std]
#![forbid(unsafe_code)]

pub mod count;
pub mod drift;
pub mod float_cases;
pub mod grid;
pub mod keep;
pub mod report;
pub mod resume;
pub mod sizes;
pub mod soak;
pub mod tmp105;

use osculate_apps::choice::Arith;

/// Those that the boards learn in: f64 has no hardware on any of them, and would take longer than all others together.
pub fn arithmetics() -> impl Iterator<Item = Arith> {
    Arith::ALL.into_iter().filter(|arith| *arith != Arith::F64)
}
