//! The entries of a log, and their bytes.

use super::open::{Marks, Open};
use crate::arithmetic::backend::{Empty, Persist};
use crate::arithmetic::{Arithmetic, Limit};
use crate::state::{Reader, Writer, persist};

/// The origin of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    pub(super) state: u32,
    /// The step of its first visit.
    pub(super) first: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Step<A: Arithmetic> {
    pub(super) row: u16,
    pub(super) reward: A::Number,
}

/// What else is known of the episode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Episode {
    pub(super) marks: Marks<u16>,
    pub(super) full: Option<Limit>,
}

/// The row index of a step without a row.
pub(super) const NO_ROW: u16 = u16::MAX;
/// The state number of a row that is about a step.
pub(crate) const NO_STATE: u32 = u32::MAX;
/// The first visit of a row that lost its target.
pub(super) const NEVER: u32 = u32::MAX;
/// The first visit of a row that was given its target.
pub(super) const GIVEN: u32 = u32::MAX - 1;

impl Visit {
    pub(super) const EMPTY: Self = Self { state: 0, first: 0 };
}

persist!(Visit: state: u32, first: u32);

impl<A: Arithmetic> Step<A> {
    pub(super) const EMPTY: Self = Self { row: 0, reward: A::Number::EMPTY };
}

impl<A: Arithmetic> Persist for Step<A> {
    persist!(fields row: u16, reward: A::Number);
}

impl Episode {
    pub(super) const EMPTY: Self = Self { marks: Marks::EMPTY, full: None };
}

persist!(Episode: marks.open: Open<u16>, marks.dropped: u32, full: Option<Limit>, marks.no_more_rows: bool);

impl Persist for Option<Limit> {
    const BYTES: usize = u8::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        self.map_or(0_u8, |limit| limit as u8).write(writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) {
        *self = match reader.get::<u8>() {
            0 => None,
            1 => Some(Limit::Steps),
            _ => Some(Limit::Rows),
        };
    }
}
