//! Test support for osculate: references that share no code with it, and worlds to learn in. What needs boards, in
//! emulators, is tested in `boards`.

pub mod any_rule;
pub mod crc;
pub mod documents;
pub mod reference;
pub mod worlds;

/// Compiles and runs the snippets of the documents.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../../docs/nexting.md")]
#[doc = include_str!("../../docs/tutorial.md")]
pub struct Documents;
