//! A bounded log of one episode, and the rows that come out of it.

use heapless::{Vec, VecView};

use super::Key;
use crate::arithmetic::backend::{Empty, Persist};
use crate::arithmetic::{Arithmetic, Limit, RowError};
use crate::state::{Reader, StateError, Writer};

/// Memory for one episode of a [`Stored`](crate::Stored) learner: up to `STEPS` samples, the last one included, of which up to
/// `ROWS` become rows of `N` features.
///
/// The learner owns it, or borrows it where it has a place of its own:
///
/// ```
/// use osculate::{Log, Predictor, Stored, StoredConfig};
/// let mut log = Log::<f32, 2, 96, 64>::new();
/// let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, &mut log)?);
/// predictor.begin(&[1.0, 0.0]).unwrap();
/// # Ok::<(), osculate::ConfigError>(())
/// ```
///
/// It is all zeros at the start, so that a `static` takes RAM and no flash.
#[derive(Clone, Debug)]
pub struct Log<A: Arithmetic, const N: usize, const STEPS: usize, const ROWS: usize> {
    rows: [A::Row<N>; ROWS],
    /// One per row.
    visits: Vec<Visit, ROWS>,
    steps: Vec<Step<A>, STEPS>,
    marks: Marks,
}

/// Where a row comes from.
#[derive(Clone, Copy, Debug)]
struct Visit {
    state: u32,
    /// The step of its first visit.
    first: u32,
}

#[derive(Clone, Copy, Debug)]
struct Step<A: Arithmetic> {
    row: u16,
    reward: A::Number,
}

/// Where the episode stands.
#[derive(Clone, Copy, Debug)]
struct Marks {
    open: Open,
    dropped: u32,
    full: Option<Limit>,
    no_more_rows: bool,
}

/// The step that waits for its reward.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Open {
    None,
    /// A row that was opened for it.
    First(u16),
    /// A row that is older.
    Again(u16),
    /// No row, because none is wanted.
    NoRow,
    /// No row, because its features could not be used; that is counted already.
    Dropped,
}

/// The row of a step that has none.
const NO_ROW: u16 = u16::MAX;
/// The state of a row that is about a step.
const NO_STATE: u32 = u32::MAX;
/// The first visit of a row that has lost its target.
const NEVER: u32 = u32::MAX;
/// The first visit of a row that came with its target.
const GIVEN: u32 = u32::MAX - 1;

impl<A: Arithmetic, const N: usize, const STEPS: usize, const ROWS: usize> Log<A, N, STEPS, ROWS> {
    /// An empty log.
    pub const fn new() -> Self {
        const { assert!(ROWS < NO_ROW as usize && STEPS < GIVEN as usize, "a log has at most 65534 rows") };
        let marks = Marks { open: Open::None, dropped: 0, full: None, no_more_rows: false };
        Self { rows: Empty::EMPTY, visits: Vec::new(), steps: Vec::new(), marks }
    }
}

impl<A: Arithmetic, const N: usize, const STEPS: usize, const ROWS: usize> Default for Log<A, N, STEPS, ROWS> {
    fn default() -> Self {
        Self::new()
    }
}

/// A log of any size, the learner's own or borrowed.
pub trait Memory<A: Arithmetic, const N: usize> {
    /// Bytes of its state at the most.
    const MAX_BYTES: usize;
    /// All of it, to write.
    fn view(&mut self) -> LogView<'_, A, N>;
    /// The rows that are in it.
    fn rows(&self) -> &[A::Row<N>];
    /// The row that waits for its reward, if it is one of its own.
    fn open_row(&self) -> Option<&A::Row<N>>;
    /// Rows that were dropped.
    fn dropped(&self) -> u32;
    /// What there was no room for.
    fn full(&self) -> Option<Limit>;
    /// Writes it.
    fn write(&self, writer: &mut Writer<'_>);
}

impl<A: Arithmetic, const N: usize, const STEPS: usize, const ROWS: usize> Memory<A, N> for Log<A, N, STEPS, ROWS> {
    const MAX_BYTES: usize =
        FIXED_BYTES + ROWS * (VISIT_BYTES + A::Row::<N>::BYTES) + STEPS * (u16::BYTES + A::Number::BYTES);

    #[inline]
    fn view(&mut self) -> LogView<'_, A, N> {
        let Self { rows, visits, steps, marks } = self;
        LogView { rows, visits: visits.as_mut_view(), steps: steps.as_mut_view(), marks }
    }

    #[inline]
    fn rows(&self) -> &[A::Row<N>] {
        self.rows.get(..self.visits.len()).unwrap_or_default()
    }

    fn open_row(&self) -> Option<&A::Row<N>> {
        match self.marks.open {
            Open::First(row) | Open::Again(row) => self.rows.get(usize::from(row)),
            _ => None,
        }
    }

    fn dropped(&self) -> u32 {
        self.marks.dropped
    }

    fn full(&self) -> Option<Limit> {
        self.marks.full
    }

    fn write(&self, writer: &mut Writer<'_>) {
        (self.visits.len() as u16).write(writer);
        (self.steps.len() as u32).write(writer);
        let (kind, row) = match self.marks.open {
            Open::None => (0_u8, 0),
            Open::First(row) => (1, row),
            Open::Again(row) => (2, row),
            Open::NoRow => (3, 0),
            Open::Dropped => (4, 0),
        };
        kind.write(writer);
        row.write(writer);
        self.marks.dropped.write(writer);
        self.marks.full.map_or(0_u8, |limit| 1 + limit as u8).write(writer);
        self.marks.no_more_rows.write(writer);
        for (visit, row) in self.visits.iter().zip(&self.rows) {
            visit.state.write(writer);
            visit.first.write(writer);
            row.write(writer);
        }
        for step in &self.steps {
            step.row.write(writer);
            step.reward.write(writer);
        }
    }
}

/// Bytes of an empty log.
const FIXED_BYTES: usize = 2 + 4 + 1 + 2 + 4 + 1 + 1;
const VISIT_BYTES: usize = 4 + 4;

impl<A: Arithmetic, M: Memory<A, N>, const N: usize> Memory<A, N> for &mut M {
    const MAX_BYTES: usize = M::MAX_BYTES;

    fn view(&mut self) -> LogView<'_, A, N> {
        M::view(self)
    }
    fn rows(&self) -> &[A::Row<N>] {
        M::rows(self)
    }
    fn open_row(&self) -> Option<&A::Row<N>> {
        M::open_row(self)
    }
    fn dropped(&self) -> u32 {
        M::dropped(self)
    }
    fn full(&self) -> Option<Limit> {
        M::full(self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        M::write(self, writer);
    }
}

/// A log whose sizes are known at run time only, so that what follows is compiled once for all of them.
#[derive(Debug)]
pub struct LogView<'l, A: Arithmetic, const N: usize> {
    rows: &'l mut [A::Row<N>],
    visits: &'l mut VecView<Visit>,
    steps: &'l mut VecView<Step<A>>,
    marks: &'l mut Marks,
}

impl<A: Arithmetic, const N: usize> LogView<'_, A, N> {
    /// Begins a step: finds or encodes its row.
    #[inline]
    pub(crate) fn open(
        &mut self,
        key: Key,
        encode: impl FnOnce(&mut A::Row<N>) -> Result<(), RowError>,
    ) -> Result<(), RowError> {
        self.discard_open();
        if self.steps.is_full() {
            self.marks.full.get_or_insert(Limit::Steps);
        }
        if let Some(limit) = self.marks.full {
            return Err(RowError::Full(limit));
        }
        let state = match key {
            // The number that says there is none cannot be told from it.
            Key::State(NO_STATE) => return self.fill(),
            Key::State(state) => state,
            Key::Step => NO_STATE,
        };
        let seen = if state == NO_STATE { None } else { self.visits.iter().position(|visit| visit.state == state) };
        if let Some(row) = seen {
            self.marks.open = Open::Again(row as u16);
            return Ok(());
        }
        if self.marks.no_more_rows {
            self.marks.open = Open::NoRow;
            return Ok(());
        }
        let first = self.steps.len() as u32;
        let opened = self.push(Visit { state, first }, encode);
        match opened {
            Ok(row) => self.marks.open = Open::First(row),
            Err(RowError::Full(_)) => {}
            Err(_) => self.marks.open = Open::Dropped,
        }
        opened.map(|_| ())
    }

    /// Adds a row and where it comes from; its index.
    #[inline]
    fn push(
        &mut self,
        visit: Visit,
        encode: impl FnOnce(&mut A::Row<N>) -> Result<(), RowError>,
    ) -> Result<u16, RowError> {
        let row = self.visits.len();
        let Some(place) = self.rows.get_mut(row).filter(|_| row < A::MAX_ROWS) else {
            return self.fill();
        };
        if let Err(error) = encode(place) {
            self.drop_one();
            return Err(error);
        }
        // As many as there are rows, so there is room.
        _ = self.visits.push(visit);
        Ok(row as u16)
    }

    fn fill<T>(&mut self) -> Result<T, RowError> {
        self.marks.full = Some(Limit::Rows);
        Err(RowError::Full(Limit::Rows))
    }

    /// Adds a row that has its target.
    pub(crate) fn push_given(
        &mut self,
        encode: impl FnOnce(&mut A::Row<N>) -> Result<(), RowError>,
    ) -> Result<(), RowError> {
        if let Some(limit) = self.marks.full {
            return Err(RowError::Full(limit));
        }
        let given = self.push(Visit { state: NO_STATE, first: GIVEN }, encode)?;
        // The row of the open step stays the last one: that is where it is taken from if its reward does not come.
        if let Open::First(_) = self.marks.open {
            if let [.., open, given] = self.visits.as_mut_slice() {
                core::mem::swap(open, given);
            }
            if let Some([.., open, given]) = self.rows.get_mut(..=usize::from(given)) {
                core::mem::swap(open, given);
            }
            self.marks.open = Open::First(given);
        }
        Ok(())
    }

    /// Ends the open step with its reward; without one it is left out and counted.
    pub(crate) fn close(&mut self, reward: Option<A::Number>) {
        let row = match self.marks.open {
            Open::None => return,
            Open::First(row) | Open::Again(row) => row,
            Open::NoRow | Open::Dropped => NO_ROW,
        };
        match reward {
            Some(reward) => _ = self.steps.push(Step { row, reward }),
            None => {
                if self.marks.open != Open::Dropped {
                    self.drop_one();
                }
                self.discard_open();
            }
        }
        self.marks.open = Open::None;
    }

    /// Forgets the step that waits for its reward, and its row.
    pub(crate) fn discard_open(&mut self) {
        if let Open::First(_) = self.marks.open {
            self.visits.pop();
        }
        self.marks.open = Open::None;
    }

    /// From here on, no step is a new row.
    pub(crate) fn close_rows(&mut self) {
        self.marks.no_more_rows = true;
    }

    fn drop_one(&mut self) {
        self.marks.dropped = self.marks.dropped.saturating_add(1);
    }

    /// The episode was cut before its end, in a state worth `value`: the last reward R becomes R + γ · `value`.
    pub(crate) fn cut(&mut self, gamma: A::Scalar, value: A::Number) {
        if let Some(last) = self.steps.last_mut() {
            last.reward = A::backup(last.reward, gamma, value);
        }
    }

    /// Monte Carlo targets: Vᵢ = Aₜ at the first visit, Aₜ = Rₜ₊₁ + γ Aₜ₊₁, computed backwards.
    pub(crate) fn set_returns(&mut self, gamma: A::Scalar) {
        let mut following = None;
        let mut rows = self.visits.iter_mut().zip(self.rows.iter_mut()).rev().peekable();
        for (t, step) in self.steps.iter().enumerate().rev() {
            let value = following.map_or(step.reward, |following| A::backup(step.reward, gamma, following));
            following = Some(value);
            while rows.next_if(|(visit, _)| visit.first == GIVEN).is_some() {}
            // First visits are in the order of time, so the next one back is the only candidate.
            if let Some((visit, row)) = rows.next_if(|(visit, _)| visit.first == t as u32)
                && A::set_target(row, value).is_err()
            {
                visit.first = NEVER;
            }
        }
        self.keep_targets();
    }

    /// One-step targets: Vᵢ = Rₜ₊₁ + γ φₜ₊₁·w, and Vᵢ = Rₜ₊₁ for the last step.
    ///
    /// A state whose successor has unusable features has no target: its row is dropped and counted.
    pub(crate) fn set_one_step(&mut self, gamma: A::Scalar, weights: &[A::Weight; N]) {
        for (index, visit) in self.visits.iter_mut().enumerate().filter(|(_, visit)| visit.first != GIVEN) {
            let t = visit.first as usize;
            let target = match (self.steps.get(t), self.steps.get(t + 1)) {
                (Some(step), None) => Some(step.reward),
                (Some(step), Some(next)) => {
                    let next = self.rows.get(usize::from(next.row));
                    next.map(|next| A::backup(step.reward, gamma, A::value(next, weights)))
                }
                (None, _) => None,
            };
            let row = self.rows.get_mut(index).zip(target);
            if row.is_none_or(|(row, target)| A::set_target(row, target).is_err()) {
                visit.first = NEVER;
            }
        }
        self.keep_targets();
    }

    /// Keeps the rows that have a target, and counts the others as dropped.
    fn keep_targets(&mut self) {
        if self.visits.iter().all(|visit| visit.first != NEVER) {
            return;
        }
        let mut kept = 0;
        for index in 0..self.visits.len() {
            if self.visits.get(index).is_none_or(|visit| visit.first == NEVER) {
                self.drop_one();
                continue;
            }
            if kept != index {
                let (before, after) = self.rows.split_at_mut(index);
                if let (Some(to), [from, ..]) = (before.get_mut(kept), after) {
                    to.clone_from(from);
                }
            }
            kept += 1;
        }
        self.visits.truncate(kept);
    }

    /// Forgets the episode.
    pub(crate) fn clear(&mut self) {
        self.visits.clear();
        self.steps.clear();
        *self.marks = Marks { open: Open::None, dropped: 0, full: None, no_more_rows: false };
    }

    /// Reads what [`Memory::write`] wrote, after `head` other bytes that are looked at first.
    pub(crate) fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), StateError> {
        let (rows, steps) = (usize::from(reader.get::<u16>()), reader.get::<u32>() as usize);
        if rows > self.rows.len().min(A::MAX_ROWS) || steps > self.steps.capacity() {
            return Err(StateError::OtherSize);
        }
        let head = FIXED_BYTES - u16::BYTES - u32::BYTES;
        let bytes = rows * (VISIT_BYTES + A::Row::<N>::BYTES) + steps * (u16::BYTES + A::Number::BYTES);
        if reader.remaining() != head + bytes {
            return Err(StateError::OtherSize);
        }
        self.clear();
        let (kind, row) = (reader.get::<u8>(), reader.get::<u16>());
        self.marks.open = match kind {
            1 => Open::First(row),
            2 => Open::Again(row),
            3 => Open::NoRow,
            4 => Open::Dropped,
            _ => Open::None,
        };
        self.marks.dropped = reader.get();
        self.marks.full = match reader.get::<u8>() {
            0 => None,
            1 => Some(Limit::Steps),
            _ => Some(Limit::Rows),
        };
        self.marks.no_more_rows = reader.get::<u8>() != 0;
        for row in self.rows.iter_mut().take(rows) {
            _ = self.visits.push(Visit { state: reader.get(), first: reader.get() });
            row.read(reader);
        }
        for _ in 0..steps {
            let mut step = Step::<A> { row: reader.get(), reward: A::Number::EMPTY };
            step.reward.read(reader);
            _ = self.steps.push(step);
        }
        Ok(())
    }
}

#[cfg(all(test, feature = "fixed-point"))]
mod tests {
    use super::*;
    use crate::arithmetic::backend::Backend;
    use crate::{Predictor, Q28Wide, Stored, StoredConfig};

    #[test]
    fn a_step_without_its_reward_takes_no_given_row_with_it() {
        let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<f32, 2, 4, 4>::new()).unwrap());
        predictor.begin(&[1.0, 0.0]).unwrap();
        predictor.learn(4.0, &[0.0, 1.0]).unwrap();
        assert_eq!(predictor.end().tau, 1);
        assert_eq!(predictor.weights(), &[0.0, 4.0]);
    }

    #[test]
    fn the_number_for_no_state_is_refused() {
        let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<f32, 1, 4, 4>::new()).unwrap());
        predictor.step_at(u32::MAX - 1, None, &[1.0]).unwrap();
        assert_eq!(predictor.step_at(u32::MAX, 1.0, &[1.0]), Err(RowError::Full(Limit::Rows)));
        assert_eq!(predictor.end().tau, 1);
    }

    #[test]
    fn no_more_rows_are_read_back_than_a_format_has_bits_for() {
        let mut log = Log::<Q28Wide, 1, 1, 200>::new();
        let row = VISIT_BYTES + <Q28Wide as Backend>::Row::<1>::BYTES;
        let bytes = |rows: u16| {
            let mut bytes = [0; FIXED_BYTES + 200 * (VISIT_BYTES + 24)];
            bytes[..2].copy_from_slice(&rows.to_le_bytes());
            (bytes, FIXED_BYTES + usize::from(rows) * row)
        };
        for (rows, given) in [(128, Ok(())), (129, Err(StateError::OtherSize))] {
            let (bytes, length) = bytes(rows);
            assert_eq!(log.view().read(&mut Reader::new(&bytes[..length])), given);
        }
    }

    #[test]
    fn what_is_full_takes_no_given_row_either() {
        let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<f32, 1, 1, 4>::new()).unwrap());
        predictor.begin(&[1.0]).unwrap();
        let full = Err(RowError::Full(Limit::Steps));
        assert_eq!(predictor.step(1.0, &[1.0]).map(|_| ()), full);
        assert_eq!(predictor.learn(1.0, &[1.0]), full);
        assert_eq!(predictor.end().tau, 1);
    }
}
