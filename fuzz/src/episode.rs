//! What should happen to samples: which answers they get, and how many are learned from or dropped.

use std::fmt::Debug;

use osculate::{Limit, RowError};

/// The expected course between two ends.
pub(super) trait Course: Clone + Debug {
    /// Whether the rule counts episodes, and not rows.
    const HAS_EPISODES: bool;

    /// Forgets what is under way.
    fn begin(&mut self);
    /// A step in a state, or a step without a state; `flaw` is what is wrong with its features.
    fn open(&mut self, state: Option<u32>, flaw: Option<RowError>) -> Result<(), RowError>;
    /// The reward of the open step, if it is usable.
    fn close(&mut self, is_usable: bool);
    /// A row with its target.
    fn learn(&mut self, flaw: Option<RowError>) -> Result<(), RowError>;
    fn close_rows(&mut self);
    /// The step that waits for its reward.
    fn waits(&self) -> Open;
    /// Whether there is no room for another row.
    fn has_no_row_left(&self) -> bool;
    fn is_full(&self) -> bool;
    /// The rows to learn from and the number dropped. (A row whose target does not fit is dropped at the end.)
    fn end(&mut self) -> (u32, u32);
}

/// The capacity of a learner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) steps: usize,
    pub(super) rows: usize,
    /// It can tell the states below this apart.
    pub(super) states: u64,
}

/// The step that waits for its reward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Open {
    None,
    /// A new row, keyed by this state or by the step.
    First(Option<u32>),
    /// An existing row.
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
    open: Open,
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

    /// Whether a log of another size has room for the current content.
    pub(super) fn fits(&self, steps: usize, rows: usize) -> bool {
        self.steps <= steps && self.rows + usize::from(matches!(self.open, Open::First(_))) <= rows
    }
}

impl Course for Episode {
    const HAS_EPISODES: bool = true;

    fn begin(&mut self) {
        self.end();
    }

    fn waits(&self) -> Open {
        self.open
    }

    fn is_full(&self) -> bool {
        self.full.is_some()
    }

    fn has_no_row_left(&self) -> bool {
        self.rows + usize::from(matches!(self.open, Open::First(_))) >= self.room.rows
    }

    fn open(&mut self, state: Option<u32>, flaw: Option<RowError>) -> Result<(), RowError> {
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

    fn close(&mut self, is_usable: bool) {
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

    fn learn(&mut self, flaw: Option<RowError>) -> Result<(), RowError> {
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

    fn close_rows(&mut self) {
        self.closed = true;
    }

    fn end(&mut self) -> (u32, u32) {
        let counts = (self.rows as u32, self.dropped);
        *self = Self::new(self.room);
        counts
    }
}

/// Samples that are learned from one by one, each after its reward and, with γ > 0, the sample after it.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    bootstraps: bool,
    open: Open,
    /// Whether the last sample has its reward, and waits for the next sample.
    is_rewarded: bool,
    /// Learned from or dropped since the last end.
    settled: u32,
}

impl Samples {
    pub(super) fn new(bootstraps: bool) -> Self {
        Self { bootstraps, open: Open::None, is_rewarded: false, settled: 0 }
    }

    fn settle(&mut self) {
        self.settled += u32::from(self.is_rewarded || matches!(self.open, Open::First(_)));
        (self.open, self.is_rewarded) = (Open::None, false);
    }
}

impl Course for Samples {
    const HAS_EPISODES: bool = false;

    fn begin(&mut self) {
        (self.open, self.is_rewarded) = (Open::None, false);
    }

    fn open(&mut self, _: Option<u32>, flaw: Option<RowError>) -> Result<(), RowError> {
        self.settle();
        if let Some(flaw) = flaw {
            self.settled += 1;
            self.open = Open::Dropped;
            return Err(flaw);
        }
        self.open = Open::First(None);
        Ok(())
    }

    fn close(&mut self, is_usable: bool) {
        if matches!(self.open, Open::First(_)) {
            self.is_rewarded = is_usable && self.bootstraps;
            self.settled += u32::from(!self.is_rewarded);
        }
        self.open = Open::None;
    }

    fn learn(&mut self, flaw: Option<RowError>) -> Result<(), RowError> {
        self.settled += 1;
        flaw.map_or(Ok(()), Err)
    }

    fn close_rows(&mut self) {}

    fn is_full(&self) -> bool {
        false
    }

    fn waits(&self) -> Open {
        self.open
    }

    fn has_no_row_left(&self) -> bool {
        false
    }

    fn end(&mut self) -> (u32, u32) {
        self.settle();
        (std::mem::take(&mut self.settled), 0)
    }
}
