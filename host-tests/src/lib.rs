//! What checks osculate: references that share no code with it, and worlds to learn in. The firmware is run by `osculate-lab`.

pub mod compare;
pub mod reference;
pub mod worlds;

/// Compiles and runs the snippets of the front page.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct FrontPage;
