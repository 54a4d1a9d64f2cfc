//! Test support for osculate: references that share no code with it, and worlds to learn in. `osculate-lab` runs the
//! firmware.

pub mod compare;
pub mod control;
pub mod drift;
pub mod reference;
pub mod worlds;

/// Compiles and runs the snippets on the front page.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct FrontPage;
