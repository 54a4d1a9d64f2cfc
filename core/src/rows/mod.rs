//! From samples to rows: the data of an episode until it is learned from.

mod entry;
mod list;
mod log;
mod open;
mod places;
mod view;
mod visits;

pub(crate) use entry::NO_STATE;
pub use log::Log;
pub(crate) use open::{Marks, Open};
pub(crate) use visits::VisitSet;
#[doc(hidden)]
pub use {
    log::{InSpace, Memory},
    view::LogView,
};
