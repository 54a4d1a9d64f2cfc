//! The entries of a log, and their bytes.

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

/// The state of the episode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    pub(super) open: Open,
    pub(super) dropped: u32,
    pub(super) full: Option<Limit>,
    pub(super) no_more_rows: bool,
}

/// The step that waits for its reward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Open {
    None,
    /// A row opened for this step.
    First(u16),
    /// An existing row.
    Again(u16),
    /// No row, because no more rows are wanted.
    NoRow,
    /// No row, because its features were unusable; already counted.
    Dropped,
}

/// The row index of a step without a row.
pub(super) const NO_ROW: u16 = u16::MAX;
/// The state number of a row that is about a step.
pub(super) const NO_STATE: u32 = u32::MAX;
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

impl Marks {
    pub(super) const EMPTY: Self = Self { open: Open::None, dropped: 0, full: None, no_more_rows: false };
}

persist!(Marks: open: Open, dropped: u32, full: Option<Limit>, no_more_rows: bool);

impl Persist for Open {
    const BYTES: usize = u8::BYTES + u16::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        let (kind, row) = match *self {
            Self::None => (0_u8, 0),
            Self::First(row) => (1, row),
            Self::Again(row) => (2, row),
            Self::NoRow => (3, 0),
            Self::Dropped => (4, 0),
        };
        kind.write(writer);
        row.write(writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) {
        let (kind, row) = (reader.get::<u8>(), reader.get());
        *self = match kind {
            1 => Self::First(row),
            2 => Self::Again(row),
            3 => Self::NoRow,
            4 => Self::Dropped,
            _ => Self::None,
        };
    }
}

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
