//! The expected result of an episode, for any learning rule.

use osculate::{Limit, RowError};

/// The capacity of a learner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) steps: usize,
    pub(super) rows: usize,
    /// The number of distinct states, counted from 0.
    pub(super) states: u64,
}

/// The step that waits for its reward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Open {
    None,
    /// A new row, for this state or for the step alone.
    First(Option<u32>),
    /// A state that already has a row.
    Again,
    /// No row, because none is wanted.
    NoRow,
    /// Unusable features.
    Dropped,
}

/// The expected state of an episode.
#[derive(Clone, Debug)]
pub(super) struct Episode {
    room: Room,
    /// States that have a row.
    seen: Vec<u32>,
    rows: usize,
    steps: usize,
    dropped: u32,
    full: Option<Limit>,
    closed: bool,
    pub(super) open: Open,
}

impl Episode {
    pub(super) fn new(room: Room) -> Self {
        let seen = Vec::new();
        Self { room, seen, rows: 0, steps: 0, dropped: 0, full: None, closed: false, open: Open::None }
    }

    fn fill(&mut self, limit: Limit) -> Result<(), RowError> {
        let limit = *self.full.get_or_insert(limit);
        Err(RowError::Full(limit))
    }

    pub(super) fn has_no_row_left(&self) -> bool {
        self.rows + usize::from(matches!(self.open, Open::First(_))) >= self.room.rows
    }

    /// Opens a step, in a state or without one.
    pub(super) fn open(&mut self, state: Option<u32>, flaw: Option<RowError>) -> Result<(), RowError> {
        self.open = Open::None;
        if self.steps >= self.room.steps {
            return self.fill(Limit::Steps);
        }
        if self.full.is_some() || state.is_some_and(|state| u64::from(state) >= self.room.states) {
            return self.fill(Limit::Rows);
        }
        if state.is_some_and(|state| self.seen.contains(&state)) {
            self.open = Open::Again;
            return Ok(());
        }
        if self.closed {
            self.open = Open::NoRow;
            return Ok(());
        }
        if self.has_no_row_left() {
            return self.fill(Limit::Rows);
        }
        if let Some(flaw) = flaw {
            self.open = Open::Dropped;
            self.dropped += 1;
            return Err(flaw);
        }
        self.open = Open::First(state);
        Ok(())
    }

    /// Closes the open step with its reward, if that is usable.
    pub(super) fn close(&mut self, is_usable: bool) {
        let open = std::mem::replace(&mut self.open, Open::None);
        match open {
            Open::None => {}
            _ if !is_usable => self.dropped += u32::from(open != Open::Dropped),
            Open::First(state) => {
                self.steps += 1;
                self.rows += 1;
                self.seen.extend(state);
            }
            Open::Again | Open::NoRow | Open::Dropped => self.steps += 1,
        }
    }

    /// Adds a row with its target; `flaw` is its fault, if any.
    pub(super) fn learn(&mut self, flaw: Option<RowError>) -> Result<(), RowError> {
        if self.full.is_some() || self.has_no_row_left() {
            return self.fill(Limit::Rows);
        }
        if let Some(flaw) = flaw {
            self.dropped += 1;
            return Err(flaw);
        }
        self.rows += 1;
        Ok(())
    }

    pub(super) fn close_rows(&mut self) {
        self.closed = true;
    }

    pub(super) fn is_full(&self) -> bool {
        self.full.is_some()
    }

    /// Whether the episode fits into a log of other sizes.
    pub(super) fn fits(&self, steps: usize, rows: usize) -> bool {
        self.steps <= steps && self.rows + usize::from(matches!(self.open, Open::First(_))) <= rows
    }

    /// Ends it: the rows to learn from, and the number dropped.
    pub(super) fn end(&mut self) -> (u32, u32) {
        let counts = (self.rows as u32, self.dropped);
        *self = Self::new(self.room);
        counts
    }
}
