//! What runs on the boards and beside them on the host: one source for both, which knows neither registers nor an operating
//! system.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`room`] | a room that learns its own heating |
//! | [`nexting`] | expects what a sensor will say next |
//! | [`grid`] | a small decision problem with a known solution |
//! | [`replay`] | recorded steps through a learner |
//! | [`sizes`] | numbers of features that are measured |
//! | [`float_cases`] | facts about floats that all of it rests on |

#![no_std]
#![forbid(unsafe_code)]

pub mod float_cases;
pub mod grid;
pub mod nexting;
pub mod replay;
pub mod room;
pub mod sizes;
