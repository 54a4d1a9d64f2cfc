//! What should happen to samples: which answers they get, and how many are learned from or dropped.

use osculate::{Limit, RowError, Update, Verdict};

use super::input::Fuzz;

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

/// The expected course between two ends.
#[derive(Clone, Debug)]
pub(super) struct Course {
    /// None for a rule that learns from sample after sample, each after its reward or after the next one.
    room: Option<Room>,
    bootstraps: bool,
    /// States that have a row.
    seen: Vec<u32>,
    rows: usize,
    steps: usize,
    dropped: u32,
    full: Option<Limit>,
    closed: bool,
    open: Open,
    /// Whether the last sample has its reward, and waits for the next sample.
    is_rewarded: bool,
}

impl Course {
    /// Of a rule with episodes.
    pub(super) fn of_episodes(room: Room) -> Self {
        Self { room: Some(room), ..Self::of_samples(false) }
    }

    /// Of a rule without them.
    pub(super) fn of_samples(bootstraps: bool) -> Self {
        Self {
            room: None,
            bootstraps,
            seen: Vec::new(),
            rows: 0,
            steps: 0,
            dropped: 0,
            full: None,
            closed: false,
            open: Open::None,
            is_rewarded: false,
        }
    }

    pub(super) fn has_episodes(&self) -> bool {
        self.room.is_some()
    }

    /// The step that waits for its reward.
    pub(super) fn waits(&self) -> Open {
        self.open
    }

    pub(super) fn is_full(&self) -> bool {
        self.full.is_some()
    }

    /// Whether a log of another size has room for the current content.
    pub(super) fn fits(&self, steps: usize, rows: usize) -> bool {
        self.steps <= steps && self.rows_in_use() <= rows
    }

    fn rows_in_use(&self) -> usize {
        self.rows + usize::from(matches!(self.open, Open::First(_)))
    }

    fn fill(&mut self, limit: Limit) -> Result<(), RowError> {
        let limit = *self.full.get_or_insert(limit);
        Err(RowError::Full(limit))
    }

    /// Forgets what is under way.
    pub(super) fn begin(&mut self) {
        (self.open, self.is_rewarded) = (Open::None, false);
        if self.has_episodes() {
            self.end();
        }
    }

    /// A step in a state, or a step without a state; `flaw` is what is wrong with its features.
    pub(super) fn open(&mut self, state: Option<u32>, flaw: Option<RowError>) -> Result<(), RowError> {
        if let Some(room) = self.room {
            self.open = Open::None;
            if self.steps >= room.steps {
                return self.fill(Limit::Steps);
            }
            if self.full.is_some() || state.is_some_and(|state| u64::from(state) >= room.states) {
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
            if self.rows_in_use() >= room.rows {
                return self.fill(Limit::Rows);
            }
        } else {
            self.settle();
        }
        self.open = if flaw.is_some() { Open::Dropped } else { Open::First(state) };
        self.dropped += u32::from(flaw.is_some());
        flaw.map_or(Ok(()), Err)
    }

    /// The reward of the open step, if it is usable.
    pub(super) fn close(&mut self, is_usable: bool) {
        let open = std::mem::replace(&mut self.open, Open::None);
        match open {
            Open::None => {}
            _ if !is_usable => self.dropped += u32::from(open != Open::Dropped),
            Open::First(_) if self.bootstraps => self.is_rewarded = true,
            Open::First(state) => {
                self.steps += 1;
                self.rows += 1;
                self.seen.extend(state.filter(|_| self.has_episodes()));
            }
            Open::Again | Open::NoRow | Open::Dropped => self.steps += 1,
        }
    }

    /// A sample has been learned from when the next one has come.
    fn settle(&mut self) {
        self.rows += usize::from(self.is_rewarded);
        self.dropped += u32::from(matches!(self.open, Open::First(_)));
        (self.open, self.is_rewarded) = (Open::None, false);
    }

    /// A row with its target.
    pub(super) fn learn(&mut self, flaw: Option<RowError>) -> Result<(), RowError> {
        if self.room.is_some_and(|room| self.full.is_some() || self.rows_in_use() >= room.rows) {
            return self.fill(Limit::Rows);
        }
        self.rows += usize::from(flaw.is_none());
        self.dropped += u32::from(flaw.is_some());
        flaw.map_or(Ok(()), Err)
    }

    pub(super) fn close_rows(&mut self) {
        self.closed = true;
    }

    /// The rows to learn from and the number dropped. (A row whose target does not fit is dropped at the end.)
    pub(super) fn end(&mut self) -> (u32, u32) {
        if !self.has_episodes() {
            self.settle();
        }
        let counts = (self.rows as u32, self.dropped);
        *self = Self { room: self.room, ..Self::of_samples(self.bootstraps) };
        counts
    }

    /// Promise 4, for an update after `k` updates. Returns the expected count after it.
    pub(super) fn ended(&mut self, fuzz: &mut Fuzz, outcome: &Update, k: u32) -> u32 {
        let (rows, dropped) = self.end();
        assert!(outcome.tau <= rows, "{outcome:?} of {rows} rows");
        assert_eq!(outcome.tau + outcome.dropped, rows + dropped, "{outcome:?} of {rows} rows");
        self.counted(fuzz, outcome, k)
    }

    /// The same, as far as it is known without the course of the episode.
    pub(super) fn counted(&self, fuzz: &mut Fuzz, outcome: &Update, k: u32) -> u32 {
        let Update { k: after, tau, saturated, g_norm, theta, verdict, .. } = *outcome;
        assert!(!self.has_episodes() || after == k + 1, "{outcome:?} after {k} updates");
        assert_eq!(tau == 0, verdict == Verdict::Empty, "{outcome:?}");
        // A number that is finite in f64 may overflow or underflow in f32.
        assert!(g_norm >= 0.0, "{outcome:?}");
        assert!(verdict != Verdict::Stepped || theta >= 0.0, "{outcome:?}");
        fuzz.called(format!("{verdict:?}"));
        if saturated > 0 {
            fuzz.saw("saturated");
        }
        if self.has_episodes() && tau == 0 { k } else { after }
    }
}
