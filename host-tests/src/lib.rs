//! What checks osculate: references that share no code with it, worlds to learn in, and the lab that runs its firmware
//! without a board.

pub mod bench;
pub mod compare;
pub mod lab;
pub mod nexting;
pub mod reference;
pub mod replay;
pub mod room;
pub mod table;
pub mod worlds;

/// Compiles and runs the snippets of the front page.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct FrontPage;
