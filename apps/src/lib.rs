//! What runs on the boards and beside them on the host: one source for both, which knows neither registers nor an operating
//! system.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`room`] | a room that learns its own heating |
//! | [`nexting`] | expects what a sensor will say next |
//! | [`grid`] | a small decision problem with a known solution |
//! | [`replay`] | recorded steps through a learner |
//! | [`fan`] | a fan without a model, for interrupt handlers and async tasks |
//! | [`resume`] | saves and restores at every step |
//! | [`choice`] | the rule and the numbers that a user chooses |
//! | [`failure`] | why an application had to give up |
//! | [`message`] | what a device tells the host |
//! | [`line`](mod@line) | the serial line to what surrounds a device |
//! | [`count`] | what a part of the learner costs |
//! | [`sizes`] | numbers of features that are measured |
//! | [`float_cases`] | facts about floats that all of it rests on |

#![no_std]
#![forbid(unsafe_code)]

pub mod choice;
pub mod count;
pub mod failure;
pub mod fan;
pub mod float_cases;
pub mod grid;
pub mod line;
pub mod message;
pub mod nexting;
pub mod replay;
pub mod resume;
pub mod room;
pub mod sizes;
