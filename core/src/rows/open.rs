//! The step that waits for its reward, whether its row stays in a log or is learned from at once.

use crate::arithmetic::RowError;
use crate::arithmetic::backend::Persist;
use crate::state::{Reader, Writer};

/// The step that waits for its reward. `R` tells its row: its place in a log, or its state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Open<R> {
    None,
    /// A row opened for this step.
    First(R),
    /// An existing row.
    Again(R),
    /// No row, because no more rows are wanted.
    NoRow,
    /// No row, because its features were unusable; already counted.
    Dropped,
}

impl<R> Open<R> {
    /// Its row, if it has one.
    #[inline]
    pub(crate) fn row(self) -> Option<R> {
        match self {
            Self::First(row) | Self::Again(row) => Some(row),
            Self::None | Self::NoRow | Self::Dropped => None,
        }
    }
}

/// What an episode knows of its steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks<R> {
    pub(crate) open: Open<R>,
    pub(crate) dropped: u32,
    pub(crate) no_more_rows: bool,
}

impl<R: Copy> Marks<R> {
    pub(crate) const EMPTY: Self = Self { open: Open::None, dropped: 0, no_more_rows: false };

    /// Begins a step where none waits. It may have a row already; returns whether it is to be given one, by
    /// [`opened`](Self::opened).
    #[inline]
    pub(crate) fn open(&mut self, seen: Option<R>) -> bool {
        match seen {
            Some(row) => self.open = Open::Again(row),
            None if self.no_more_rows => self.open = Open::NoRow,
            None => return true,
        }
        false
    }

    /// The step's new row, or why it has none.
    #[inline]
    pub(crate) fn opened(&mut self, row: Result<R, RowError>) -> Result<R, RowError> {
        match row {
            Ok(row) => {
                self.open = Open::First(row);
                Ok(row)
            }
            // Without room there is no step at all.
            Err(error @ RowError::Full(_)) => Err(error),
            Err(error) => {
                self.open = Open::Dropped;
                self.drop_one();
                Err(error)
            }
        }
    }

    /// Counts what is no row, unless there was no room.
    pub(crate) fn counted<T>(&mut self, row: Result<T, RowError>) -> Result<T, RowError> {
        if !matches!(row, Ok(_) | Err(RowError::Full(_))) {
            self.drop_one();
        }
        row
    }

    /// Ends the step that waits, if there is one. Without a reward it is dropped and counted.
    #[inline]
    pub(crate) fn close(&mut self, has_reward: bool) -> Open<R> {
        let open = core::mem::replace(&mut self.open, Open::None);
        if !has_reward && !matches!(open, Open::None | Open::Dropped) {
            self.drop_one();
        }
        open
    }

    pub(crate) fn drop_one(&mut self) {
        self.dropped = self.dropped.saturating_add(1);
    }
}

impl Persist for Open<u16> {
    const BYTES: usize = u8::BYTES + u16::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        let kind = match *self {
            Self::None => 0_u8,
            Self::First(_) => 1,
            Self::Again(_) => 2,
            Self::NoRow => 3,
            Self::Dropped => 4,
        };
        kind.write(writer);
        self.row().unwrap_or(0).write(writer);
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

/// Without a log, only a first visit has a row.
impl Persist for Open<u32> {
    const BYTES: usize = u8::BYTES + u32::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        let (kind, state) = match *self {
            Self::None => (0_u8, 0),
            Self::First(state) => (1, state),
            Self::Again(_) | Self::NoRow => (2, 0),
            Self::Dropped => (3, 0),
        };
        kind.write(writer);
        state.write(writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) {
        let (kind, state) = (reader.get::<u8>(), reader.get());
        *self = match kind {
            1 => Self::First(state),
            2 => Self::NoRow,
            3 => Self::Dropped,
            _ => Self::None,
        };
    }
}
