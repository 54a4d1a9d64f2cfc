//! A bounded log of one episode, and its rows.

use super::entry::{Episode, GIVEN, NO_ROW, Step, Visit};
use super::list::List;
use super::places::Places;
use super::view::LogView;
use crate::arithmetic::backend::{Empty, Persist};
use crate::arithmetic::{Arithmetic, Limit, Shape, Space};
use crate::state::Writer;

/// Memory for one episode of a [`Stored`](crate::Stored) learner: up to `STEPS` samples, including the last one. Up to
/// `ROWS` of them become rows of `N` features.
///
/// The learner owns it, or borrows it from elsewhere:
///
/// ```
/// use osculate::{Log, Predictor, Stored, StoredConfig};
/// let mut log = Log::<f32, 2, 96, 64>::NEW;
/// let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, &mut log));
/// predictor.begin(&[1.0, 0.0]).unwrap();
/// ```
///
/// It is all zeros at the start, so that a `static` takes RAM and no flash; a learner that owns it can be one, too:
///
/// ```
/// use osculate::{Log, Predictor, Stored, StoredConfig};
/// static PREDICTOR: Predictor<Stored<Log<f32, 2, 96, 64>>> = Predictor::new(Stored::new(StoredConfig::PAPER, Log::NEW));
/// assert_eq!(PREDICTOR.weights(), &[0.0, 0.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Log<A: Arithmetic, const N: usize, const STEPS: usize, const ROWS: usize> {
    rows: [A::Row<N>; ROWS],
    /// One per row.
    visits: List<Visit, ROWS>,
    steps: List<Step<A>, STEPS>,
    places: [u8; ROWS],
    episode: Episode,
}

impl<A: Arithmetic, const N: usize, const STEPS: usize, const ROWS: usize> Log<A, N, STEPS, ROWS> {
    /// An empty log.
    // A constant of zeros, which is written to where it stays. Built step by step, it would be on the stack twice.
    pub const NEW: Self = {
        assert!(
            ROWS < NO_ROW as usize && ROWS <= A::MAX_ROWS && STEPS < GIVEN as usize,
            "a log has at most 65534 rows"
        );
        Self {
            rows: Empty::EMPTY,
            visits: List::new(Visit::EMPTY),
            steps: List::new(Step::EMPTY),
            places: [0; ROWS],
            episode: Episode::EMPTY,
        }
    };
}

impl<A: Arithmetic, const N: usize, const STEPS: usize, const ROWS: usize> Default for Log<A, N, STEPS, ROWS> {
    fn default() -> Self {
        Self::NEW
    }
}

/// A type whose rows have `N` features in the arithmetic `A`, so that other types need not repeat them.
pub trait InSpace {
    /// The arithmetic and the number of features.
    type Space: Shape;
}

impl<A: Arithmetic, const N: usize, const STEPS: usize, const ROWS: usize> InSpace for Log<A, N, STEPS, ROWS> {
    type Space = Space<A, N>;
}

impl<M: InSpace> InSpace for &mut M {
    type Space = M::Space;
}

/// A log of any size, owned or borrowed by the learner.
pub trait Memory<A: Arithmetic, const N: usize> {
    /// The maximum size of its state in bytes.
    const MAX_BYTES: usize;
    /// A mutable view of the whole log.
    fn view(&mut self) -> LogView<'_, A, N>;
    /// The rows in the log.
    fn rows(&self) -> &[A::Row<N>];
    /// The row that waits for its reward, if the open step has one.
    fn open_row(&self) -> Option<&A::Row<N>>;
    /// Rows that were dropped.
    fn dropped(&self) -> u32;
    /// The limit that was reached, if any.
    fn full(&self) -> Option<Limit>;
    /// Writes the log's state.
    fn write(&self, writer: &mut Writer<'_>);
}

impl<A: Arithmetic, const N: usize, const STEPS: usize, const ROWS: usize> Memory<A, N> for Log<A, N, STEPS, ROWS> {
    const MAX_BYTES: usize = u16::BYTES
        + u32::BYTES
        + Episode::BYTES
        + ROWS * (Visit::BYTES + A::Row::<N>::BYTES)
        + STEPS * Step::<A>::BYTES;

    #[inline]
    fn view(&mut self) -> LogView<'_, A, N> {
        let Self { rows, visits, steps, places, episode } = self;
        LogView { rows, visits: visits.as_mut_view(), steps: steps.as_mut_view(), places: Places(places), episode }
    }

    #[inline]
    fn rows(&self) -> &[A::Row<N>] {
        self.rows.get(..self.visits.as_slice().len()).unwrap_or_default()
    }

    fn open_row(&self) -> Option<&A::Row<N>> {
        self.rows.get(usize::from(self.episode.marks.open.row()?))
    }

    fn dropped(&self) -> u32 {
        self.episode.marks.dropped
    }

    fn full(&self) -> Option<Limit> {
        self.episode.full
    }

    fn write(&self, writer: &mut Writer<'_>) {
        (self.visits.as_slice().len() as u16).write(writer);
        (self.steps.as_slice().len() as u32).write(writer);
        self.episode.write(writer);
        for (visit, row) in self.visits.as_slice().iter().zip(&self.rows) {
            visit.write(writer);
            row.write(writer);
        }
        self.steps.as_slice().iter().for_each(|step| step.write(writer));
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::RowError;

    use crate::{Predictor, Stored, StoredConfig};

    #[test]
    fn a_step_without_its_reward_takes_no_given_row_with_it() {
        let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<f32, 2, 4, 4>::NEW));
        predictor.begin(&[1.0, 0.0]).unwrap();
        predictor.learn(4.0, &[0.0, 1.0]).unwrap();
        assert_eq!(predictor.end().tau, 1);
        assert_eq!(predictor.weights(), &[0.0, 4.0]);
    }

    #[test]
    fn the_number_for_no_state_is_refused() {
        let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<f32, 1, 4, 4>::NEW));
        predictor.step_at(u32::MAX - 1, None, &[1.0]).unwrap();
        assert_eq!(predictor.step_at(u32::MAX, 1.0, &[1.0]), Err(RowError::Full(Limit::Rows)));
        assert_eq!(predictor.end().tau, 1);
    }

    #[test]
    fn what_is_full_takes_no_given_row_either() {
        let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<f32, 1, 1, 4>::NEW));
        predictor.begin(&[1.0]).unwrap();
        let full = Err(RowError::Full(Limit::Steps));
        assert_eq!(predictor.step(1.0, &[1.0]).map(|_| ()), full);
        assert_eq!(predictor.learn(1.0, &[1.0]), full);
        assert_eq!(predictor.end().tau, 1);
    }
}
