//! The operations on a log, independent of its size.

use super::entry::{Episode, GIVEN, NEVER, NO_ROW, NO_STATE, Step, Visit};
use super::list::ListView;
use super::open::Open;
use super::places::Places;
use crate::arithmetic::backend::Persist;
use crate::arithmetic::{Arithmetic, Limit, RowError};
use crate::state::{Reader, StateError};

/// A log whose sizes are known only at run time, so that its methods are compiled once for all sizes.
#[derive(Debug)]
pub struct LogView<'l, A: Arithmetic, const N: usize> {
    pub(super) rows: &'l mut [A::Row<N>],
    pub(super) visits: ListView<'l, Visit>,
    pub(super) steps: ListView<'l, Step<A>>,
    pub(super) places: Places<'l>,
    pub(super) episode: &'l mut Episode,
}

// Functions called once per episode are not inlined, so that flash holds one copy of them.
impl<A: Arithmetic, const N: usize> LogView<'_, A, N> {
    /// Begins a step: finds or encodes its row.
    #[inline]
    pub(crate) fn open(
        &mut self,
        state: Option<u32>,
        encode: impl FnOnce(&mut A::Row<N>) -> Result<(), RowError>,
    ) -> Result<(), RowError> {
        self.discard_open();
        if self.steps.is_full() {
            self.episode.full.get_or_insert(Limit::Steps);
        }
        if let Some(limit) = self.episode.full {
            return Err(RowError::Full(limit));
        }
        let state = match state {
            // This number is reserved for rows without a state.
            Some(NO_STATE) => return self.fill(),
            Some(state) => state,
            None => NO_STATE,
        };
        let seen = if state == NO_STATE { None } else { self.places.find(state, self.visits.as_slice()) };
        if !self.episode.marks.open(seen.map(|row| row as u16)) {
            return Ok(());
        }
        let first = self.steps.len() as u32;
        let row = self.push(Visit { state, first }, encode);
        let row = self.episode.marks.opened(row)?;
        if state != NO_STATE {
            self.places.insert(state, row.into());
        }
        Ok(())
    }

    /// Adds a row and its origin. Returns its index.
    #[inline]
    fn push(
        &mut self,
        visit: Visit,
        encode: impl FnOnce(&mut A::Row<N>) -> Result<(), RowError>,
    ) -> Result<u16, RowError> {
        let row = self.visits.len();
        let Some(place) = self.rows.get_mut(row) else {
            return self.fill();
        };
        encode(place)?;
        // As many as there are rows, so there is room.
        self.visits.push(visit);
        Ok(row as u16)
    }

    fn fill<T>(&mut self) -> Result<T, RowError> {
        self.episode.full = Some(Limit::Rows);
        Err(RowError::Full(Limit::Rows))
    }

    /// Adds a row with a known target.
    pub(crate) fn push_given(
        &mut self,
        encode: impl FnOnce(&mut A::Row<N>) -> Result<(), RowError>,
    ) -> Result<(), RowError> {
        if let Some(limit) = self.episode.full {
            return Err(RowError::Full(limit));
        }
        let given = self.push(Visit { state: NO_STATE, first: GIVEN }, encode);
        let given = self.episode.marks.counted(given)?;
        // The row of the open step must stay last: it is popped from there if its reward does not come.
        if let Open::First(_) = self.episode.marks.open {
            if let [.., open, given] = self.visits.as_mut_slice() {
                core::mem::swap(open, given);
            }
            if let Some([.., open, given]) = self.rows.get_mut(..=usize::from(given)) {
                core::mem::swap(open, given);
            }
            self.episode.marks.open = Open::First(given);
        }
        Ok(())
    }

    /// Ends the open step with its reward. Without one it is dropped and counted.
    pub(crate) fn close(&mut self, reward: Option<A::Number>) {
        let row = match self.episode.marks.close(reward.is_some()) {
            Open::None => return,
            // Its row is not wanted any more.
            Open::First(_) if reward.is_none() => return self.visits.pop(),
            Open::First(row) | Open::Again(row) => row,
            Open::NoRow | Open::Dropped => NO_ROW,
        };
        if let Some(reward) = reward {
            self.steps.push(Step { row, reward });
        }
    }

    /// Discards the step that waits for its reward, and its row.
    pub(crate) fn discard_open(&mut self) {
        if let Open::First(_) = self.episode.marks.open {
            self.visits.pop();
        }
        self.episode.marks.open = Open::None;
    }

    /// From here on, no step becomes a new row.
    pub(crate) fn close_rows(&mut self) {
        self.episode.marks.no_more_rows = true;
    }

    /// The episode was cut short in a state of value `value`: the last reward R becomes R + γ · `value`.
    pub(crate) fn bootstrap(&mut self, gamma: A::Scalar, value: A::Number) {
        if let Some(last) = self.steps.as_mut_slice().last_mut() {
            last.reward = A::backup(last.reward, gamma, value);
        }
    }

    /// Monte Carlo targets: Vᵢ = Aₜ at the first visit, Aₜ = Rₜ₊₁ + γ Aₜ₊₁, computed backwards.
    #[inline(never)]
    pub(crate) fn set_returns(&mut self, gamma: A::Scalar) {
        let mut following = None;
        let mut all_kept = true;
        // First visits are in the order of time, so the next one back is the only candidate.
        let visits = self.visits.as_mut_slice();
        let rows = self.rows.get_mut(..visits.len()).unwrap_or_default();
        let mut rows = visits.iter_mut().zip(rows).rev().filter(|(visit, _)| visit.first != GIVEN);
        let mut candidate = rows.next();
        for (t, step) in self.steps.as_slice().iter().enumerate().rev() {
            let value = following.map_or(step.reward, |following| A::backup(step.reward, gamma, following));
            following = Some(value);
            if let Some((visit, row)) = &mut candidate
                && visit.first == t as u32
            {
                if A::set_target(row, value).is_err() {
                    visit.first = NEVER;
                    all_kept = false;
                }
                candidate = rows.next();
            }
        }
        if !all_kept {
            self.keep_targets();
        }
    }

    /// One-step targets: Vᵢ = Rₜ₊₁ + γ φₜ₊₁·w, and Vᵢ = Rₜ₊₁ for the last step.
    ///
    /// A state whose successor has unusable features has no target: its row is dropped and counted.
    #[inline(never)]
    pub(crate) fn set_one_step(&mut self, gamma: A::Scalar, weights: &[A::Weight; N]) {
        let mut all_kept = true;
        for (index, visit) in
            self.visits.as_mut_slice().iter_mut().enumerate().filter(|(_, visit)| visit.first != GIVEN)
        {
            let t = visit.first as usize;
            let target = match (self.steps.as_slice().get(t), self.steps.as_slice().get(t + 1)) {
                (Some(step), None) => Some(step.reward),
                (Some(step), Some(next)) => {
                    let next = self.rows.get(usize::from(next.row));
                    next.map(|next| A::backup(step.reward, gamma, A::value(next, weights)))
                }
                (None, _) => None,
            };
            if !target.is_some_and(|target| set_target::<A, N>(self.rows, index, target)) {
                visit.first = NEVER;
                all_kept = false;
            }
        }
        if !all_kept {
            self.keep_targets();
        }
    }

    /// Keeps the rows that have a target and counts the others as dropped.
    #[inline(never)]
    fn keep_targets(&mut self) {
        let mut kept = 0;
        for index in 0..self.visits.len() {
            if self.visits.as_slice().get(index).is_none_or(|visit| visit.first == NEVER) {
                self.episode.marks.drop_one();
                continue;
            }
            if let Some((before, [from, ..])) = self.rows.split_at_mut_checked(index)
                && let Some(to) = before.get_mut(kept)
            {
                replace(to, from);
            }
            kept += 1;
        }
        self.visits.truncate(kept);
    }

    /// Discards the episode.
    pub(crate) fn clear(&mut self) {
        self.visits.truncate(0);
        self.steps.truncate(0);
        self.places.clear();
        *self.episode = Episode::EMPTY;
    }

    /// Reads what [`Memory::write`](super::Memory::write) wrote.
    pub(crate) fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), StateError> {
        let (rows, steps) = (usize::from(reader.get::<u16>()), reader.get::<u32>() as usize);
        if rows > self.rows.len() || steps > self.steps.capacity() {
            return Err(StateError::OtherSize);
        }
        let bytes = Episode::BYTES + rows * (Visit::BYTES + A::Row::<N>::BYTES) + steps * Step::<A>::BYTES;
        if reader.remaining() != bytes {
            return Err(StateError::OtherSize);
        }
        self.clear();
        self.episode.read(reader);
        for (index, row) in self.rows.iter_mut().take(rows).enumerate() {
            let mut visit = Visit::EMPTY;
            visit.read(reader);
            self.visits.push(visit);
            self.places.insert(visit.state, index);
            row.read(reader);
        }
        for _ in 0..steps {
            let mut step = Step::EMPTY;
            step.read(reader);
            self.steps.push(step);
        }
        Ok(())
    }
}

/// Gives a row its target. Returns whether that succeeded.
#[inline(never)]
fn set_target<A: Arithmetic, const N: usize>(rows: &mut [A::Row<N>], row: usize, target: A::Number) -> bool {
    rows.get_mut(row).is_some_and(|row| A::set_target(row, target).is_ok())
}

/// Rarely called, so the copy should not be inlined and unrolled.
#[inline(never)]
fn replace<R: Clone>(to: &mut R, from: &R) {
    to.clone_from(from);
}
