//! Samples to rows: what an episode keeps until it is learned from.

mod list;
mod log;
mod view;
mod visits;

pub use log::Log;
pub(crate) use visits::VisitSet;
#[doc(hidden)]
pub use {
    log::{InSpace, Memory},
    view::LogView,
};

/// What a row is about: first visits are told from later ones by it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A step of its own: every step is a row.
    Step,
    /// A state of this number: only its first visit in an episode is a row.
    State(u32),
}
