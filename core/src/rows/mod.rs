//! From samples to rows: the data of an episode until it is learned from.

mod entry;
mod list;
mod log;
mod places;
mod view;
mod visits;

pub use log::Log;
pub(crate) use visits::VisitSet;
#[doc(hidden)]
pub use {
    log::{InSpace, Memory},
    view::LogView,
};

/// What a row is about. It distinguishes first visits from later ones.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A single step: every step is a row.
    Step,
    /// A numbered state: only its first visit in an episode is a row.
    State(u32),
}
