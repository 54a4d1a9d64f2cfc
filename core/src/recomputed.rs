//! An episode that stores no features: they are computed again from the state, in each pass of an update.

use core::borrow::Borrow;
use core::marker::PhantomData;

use heapless::Vec;

use crate::arithmetic::{Arithmetic, RowError};
use crate::batch::Rows;
use crate::config::{ConfigError, check_gamma};
use crate::episode::Recorded;

/// Up to `STEPS` steps through up to `ROWS` different states: memory that does not grow with the number of features.
///
/// The features are made three times per update and state (to check them, for g, and for ϑ) instead of once: RAM is traded
/// for time. The bits are those of an [`Episode`](crate::Episode).
///
/// ```
/// use osculate::{Learner, batch::Rows, recomputed::StateLog};
/// let mut log = StateLog::<f32, u8, 8, 4>::new();
/// for (state, reward) in [(0, 0.0), (1, 0.0), (0, 8.0)] {
///     log.record(state, reward);
/// }
/// let features = |state: &u8| Ok(if *state == 0 { [1.0, 0.0] } else { [0.0, 1.0] });
/// let rows = log.monte_carlo(0.5, features)?; // V = 2 for state 0, V = 4 for state 1
/// assert_eq!(rows.count(), 2);
/// Learner::<f32, 2>::default().update(&rows);
/// # Ok::<(), osculate::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct StateLog<A: Arithmetic, K, const STEPS: usize, const ROWS: usize> {
    visited: Vec<Visited<A, K>, ROWS>,
    rewards: Vec<A::Target, STEPS>,
    dropped: u32,
    full: bool,
    /// The states have got their returns, and whatever comes next belongs to another episode.
    ended: bool,
}

#[derive(Clone, Debug)]
struct Visited<A: Arithmetic, K> {
    state: K,
    first: u32,
    visits: u32,
    /// The return; the reward of the first visit until it is known.
    value: A::Target,
}

impl<A: Arithmetic, K: PartialEq, const STEPS: usize, const ROWS: usize> StateLog<A, K, STEPS, ROWS> {
    /// An empty log.
    pub const fn new() -> Self {
        Self { visited: Vec::new(), rewards: Vec::new(), dropped: 0, full: false, ended: false }
    }

    /// Adds a step: the state that was left, and the reward that came with leaving it.
    pub fn record(&mut self, state: K, reward: A::Target) -> Recorded {
        if self.ended {
            self.clear();
        }
        self.full |= self.rewards.is_full();
        if self.full {
            return Recorded::Full;
        }
        // It is left out, so it needs no row either.
        if !A::is_usable(reward) {
            self.dropped = self.dropped.saturating_add(1);
            return Recorded::BadReward;
        }
        let seen = self.visited.iter().position(|visited| visited.state == state);
        if seen.is_none() && self.visited.len() >= ROWS.min(A::MAX_ROWS) {
            self.full = true;
            return Recorded::Full;
        }
        let first = self.rewards.len() as u32;
        // There is room for both, as was just seen.
        _ = self.rewards.push(reward);
        match seen.and_then(|row| self.visited.get_mut(row)) {
            Some(visited) => {
                visited.visits = visited.visits.saturating_add(1);
                Recorded::Again
            }
            None => {
                _ = self.visited.push(Visited { state, first, visits: 1, value: reward });
                Recorded::First
            }
        }
    }

    /// Whether a step found no room: the episode was cut short there. It stays so until the next one begins.
    ///
    /// ```
    /// use osculate::{Recorded, recomputed::StateLog};
    /// let mut log = StateLog::<f32, char, 2, 2>::new();
    /// log.record('a', 0.0);
    /// log.record('b', 0.0);
    /// assert!(!log.is_full());
    /// assert_eq!(log.record('a', 1.0), Recorded::Full);
    /// assert!(log.is_full());
    /// ```
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Forgets the episode without learning from it.
    ///
    /// ```
    /// use osculate::{Recorded, recomputed::StateLog};
    /// let mut log = StateLog::<f32, char, 1, 1>::new();
    /// log.record('a', 0.0);
    /// assert_eq!(log.record('a', 0.0), Recorded::Full);
    /// log.clear();
    /// assert_eq!(log.record('a', 0.0), Recorded::First);
    /// ```
    pub fn clear(&mut self) {
        self.visited.clear();
        self.rewards.clear();
        self.dropped = 0;
        self.full = false;
        self.ended = false;
    }

    /// Ends the episode: its rows with Monte Carlo targets, their features from `features`, which must always give the same
    /// for a state. Asked a second time, there are none.
    ///
    /// A state without a usable target is dropped and counted, one without usable features at every visit.
    ///
    /// # Errors
    /// [`ConfigError::Gamma`] where γ is not in [0, 1]; nothing has changed then.
    pub fn monte_carlo<F, const N: usize>(
        &mut self,
        gamma: A::Scalar,
        features: F,
    ) -> Result<Recomputed<'_, A, K, F, N>, ConfigError>
    where
        F: Fn(&K) -> Result<A::Features<N>, RowError>,
    {
        check_gamma(gamma)?;
        if self.ended {
            self.clear();
        }
        self.ended = true;
        let Self { visited, rewards, dropped, .. } = self;
        let mut following = None;
        let mut firsts = visited.iter_mut().rev().peekable();
        for (t, &reward) in rewards.iter().enumerate().rev() {
            let value = following.map_or(reward, |following| A::backup(reward, gamma, following));
            following = Some(value);
            if let Some(visited) = firsts.next_if(|visited| visited.first == t as u32) {
                visited.value = value;
            }
        }
        visited.retain(|visited| {
            let lost = match admitted::<A, K, F, N>(visited, &features) {
                Ok(mut row) => u32::from(A::aim(&mut row, visited.value).is_err()),
                Err(_) => visited.visits,
            };
            *dropped = dropped.saturating_add(lost);
            lost == 0
        });
        Ok(Recomputed { visited, dropped: *dropped, features, sized: PhantomData })
    }
}

fn admitted<A: Arithmetic, K, F, const N: usize>(visited: &Visited<A, K>, features: &F) -> Result<A::Row<N>, RowError>
where
    F: Fn(&K) -> Result<A::Features<N>, RowError>,
{
    A::admit(&features(&visited.state)?)
}

/// The rows of a [`StateLog`], each made when it is looked at.
///
/// ```
/// use core::cell::Cell;
/// use osculate::{Learner, batch::Rows, recomputed::StateLog};
/// let mut log = StateLog::<f32, u8, 4, 4>::new();
/// log.record(0, 1.0);
/// log.record(1, 2.0);
/// let calls = Cell::new(0);
/// let features = |state: &u8| {
///     calls.set(calls.get() + 1);
///     Ok(if *state == 0 { [1.0, 0.5] } else { [0.5, 1.0] })
/// };
/// let rows = log.monte_carlo(0.9, features)?;
/// Learner::<f32, 2>::default().update(&rows);
/// assert_eq!((rows.count(), calls.get()), (2, 2 * 3));
/// # Ok::<(), osculate::ConfigError>(())
/// ```
#[derive(Debug)]
pub struct Recomputed<'log, A: Arithmetic, K, F, const N: usize> {
    visited: &'log [Visited<A, K>],
    dropped: u32,
    features: F,
    sized: PhantomData<[(); N]>,
}

impl<A: Arithmetic, K, F, const N: usize> Rows<A, N> for Recomputed<'_, A, K, F, N>
where
    F: Fn(&K) -> Result<A::Features<N>, RowError>,
{
    fn count(&self) -> usize {
        self.visited.len()
    }

    fn dropped(&self) -> u32 {
        self.dropped
    }

    fn rows(&self) -> impl Iterator<Item = impl Borrow<A::Row<N>>> {
        // Each worked when it was checked, and does so again.
        self.visited.iter().filter_map(|visited| {
            let mut row = admitted::<A, K, F, N>(visited, &self.features).ok()?;
            A::aim(&mut row, visited.value).ok().map(|()| row)
        })
    }
}

impl<A: Arithmetic, K: PartialEq, const STEPS: usize, const ROWS: usize> Default for StateLog<A, K, STEPS, ROWS> {
    fn default() -> Self {
        Self::new()
    }
}
