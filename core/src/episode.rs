//! A bounded log of one episode, and the rows that come out of it.

use heapless::Vec;

use crate::arithmetic::{Arithmetic, RowError};
use crate::batch::Batch;
use crate::config::{ConfigError, check_gamma};

/// What became of a step.
///
/// ```
/// use osculate::{Episode, Recorded};
/// let mut episode = Episode::<f32, u8, 1, 4, 4>::new();
/// assert_eq!(episode.record(7, &[1.0], 0.5), Recorded::First);
/// assert_eq!(episode.record(7, &[1.0], 0.5), Recorded::Again);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Recorded {
    /// The state's first visit: it becomes a row.
    First,
    /// A later visit: its reward counts, but it makes no row.
    Again,
    /// The features cannot be used. The reward still counts for the states before; the row is dropped and counted.
    BadFeatures(RowError),
    /// The reward is not a number. The step is left out as if it had not happened, and counted as dropped.
    BadReward,
    /// No room: the episode ends before this step. Nothing was recorded, and nothing more will be.
    Full,
}

/// Up to `STEPS` steps through up to `ROWS` different states, of which each is stored once.
///
/// Rewards are those received on *leaving* a state. [`monte_carlo`](Self::monte_carlo) or [`one_step`](Self::one_step) then
/// turn the episode into the rows of its first visits, and end it: what is recorded next belongs to another one.
///
/// ```
/// use osculate::{Episode, Learner, batch::Rows};
/// let mut episode = Episode::<f32, u8, 2, 8, 4>::new();
/// episode.record(0, &[1.0, 0.0], 0.0);
/// episode.record(1, &[0.0, 1.0], 0.0);
/// episode.record(0, &[1.0, 0.0], 8.0);
/// let mut learner = Learner::<f32, 2>::default();
/// let batch = episode.monte_carlo(0.5)?; // V = 2 for state 0, V = 4 for state 1
/// assert_eq!(batch.count(), 2);
/// learner.update(batch);
/// assert!(episode.is_empty());
/// # Ok::<(), osculate::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Episode<A: Arithmetic, K, const N: usize, const STEPS: usize, const ROWS: usize> {
    batch: Batch<A, N, ROWS>,
    /// One per row: its state, and the step of its first visit.
    visited: Vec<(K, u32), ROWS>,
    steps: Vec<Step<A>, STEPS>,
    full: bool,
    /// The rows have got their targets, and whatever comes next belongs to another episode.
    ended: bool,
}

#[derive(Clone, Copy, Debug)]
struct Step<A: Arithmetic> {
    row: u16,
    reward: A::Target,
}

/// The row of a state whose features could not be used.
const NO_ROW: u16 = u16::MAX;
/// The first visit of a row that has lost its target.
const NEVER: u32 = u32::MAX;

impl<A: Arithmetic, K: PartialEq, const N: usize, const STEPS: usize, const ROWS: usize> Episode<A, K, N, STEPS, ROWS> {
    /// An empty log.
    pub const fn new() -> Self {
        const { assert!(ROWS < NO_ROW as usize, "an episode has at most 65534 rows") };
        Self { batch: Batch::new(), visited: Vec::new(), steps: Vec::new(), full: false, ended: false }
    }

    /// Adds a step: the state that was left, its features, and the reward that came with leaving it.
    pub fn record(&mut self, state: K, features: &A::Features<N>, reward: A::Target) -> Recorded {
        if !A::is_usable(reward) {
            return self.leave_out();
        }
        if !self.has_room() {
            return Recorded::Full;
        }
        let seen = self.visited.iter().position(|(visited, _)| *visited == state);
        let (row, recorded) = match seen {
            Some(row) => (row as u16, Recorded::Again),
            None => match A::admit(features) {
                Ok(row) => {
                    if self.batch.store(row).is_err() {
                        self.full = true;
                        return Recorded::Full;
                    }
                    // As many as there are rows, so there is room.
                    _ = self.visited.push((state, self.steps.len() as u32));
                    (self.visited.len() as u16 - 1, Recorded::First)
                }
                Err(error) => {
                    self.batch.drop_one();
                    (NO_ROW, Recorded::BadFeatures(error))
                }
            },
        };
        _ = self.steps.push(Step { row, reward });
        recorded
    }

    /// Counts a step without a usable reward, and leaves it out; or finds the log full, as for any step.
    pub(crate) fn leave_out(&mut self) -> Recorded {
        if !self.has_room() {
            return Recorded::Full;
        }
        self.batch.drop_one();
        Recorded::BadReward
    }

    /// Whether there is room for a step, in a new episode where the last one has ended.
    fn has_room(&mut self) -> bool {
        if self.ended {
            self.clear();
        }
        self.full |= self.steps.is_full();
        !self.full
    }

    /// How many steps are in the log.
    ///
    /// ```
    /// use osculate::Episode;
    /// let mut episode = Episode::<f32, char, 1, 8, 4>::new();
    /// assert!(episode.is_empty());
    /// episode.record('a', &[1.0], 0.0);
    /// episode.record('a', &[1.0], 1.0);
    /// assert_eq!(episode.len(), 2); // though it is one row only
    /// ```
    pub fn len(&self) -> usize {
        if self.ended { 0 } else { self.steps.len() }
    }

    /// Whether there are none.
    ///
    /// ```
    /// use osculate::Episode;
    /// let mut episode = Episode::<f32, char, 1, 8, 4>::new();
    /// episode.record('a', &[1.0], f32::NAN); // left out
    /// assert!(episode.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a step found no room: the episode was cut short there. It stays so until the next one begins.
    ///
    /// ```
    /// use osculate::{Episode, Recorded};
    /// let mut episode = Episode::<f32, char, 1, 8, 1>::new();
    /// episode.record('a', &[1.0], 0.0);
    /// assert!(!episode.is_full()); // 'a' may come again
    /// assert_eq!(episode.record('b', &[2.0], 0.0), Recorded::Full);
    /// assert!(episode.is_full());
    /// ```
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// The episode was cut before its end, in a state worth `value`: the last reward R becomes R + γ · `value`.
    ///
    /// ```
    /// use osculate::{Episode, Learner};
    /// let mut episode = Episode::<f32, u8, 1, 4, 4>::new();
    /// episode.record(0, &[1.0], 2.0);
    /// episode.cut(0.5, 4.0)?; // as if what follows were worth 4
    /// let mut learner = Learner::<f32, 1>::default();
    /// learner.update(episode.monte_carlo(0.5)?);
    /// assert_eq!(learner.weights(), &[4.0]);
    /// # Ok::<(), osculate::ConfigError>(())
    /// ```
    ///
    /// # Errors
    /// [`ConfigError::Gamma`] where γ is not in [0, 1]; nothing has changed then.
    pub fn cut(&mut self, gamma: A::Scalar, value: A::Target) -> Result<(), ConfigError> {
        check_gamma(gamma)?;
        self.cut_at(gamma, value);
        Ok(())
    }

    /// [`cut`](Self::cut) with a γ that was checked before.
    pub(crate) fn cut_at(&mut self, gamma: A::Scalar, value: A::Target) {
        if let Some(last) = self.steps.last_mut() {
            last.reward = A::backup(last.reward, gamma, value);
        }
    }

    /// Forgets the episode without learning from it.
    ///
    /// ```
    /// use osculate::{Episode, Recorded};
    /// let mut episode = Episode::<f32, char, 1, 1, 1>::new();
    /// episode.record('a', &[1.0], 0.0);
    /// assert_eq!(episode.record('a', &[1.0], 0.0), Recorded::Full);
    /// episode.clear();
    /// assert_eq!(episode.record('a', &[1.0], 0.0), Recorded::First);
    /// ```
    pub fn clear(&mut self) {
        self.batch.clear();
        self.visited.clear();
        self.steps.clear();
        self.full = false;
        self.ended = false;
    }

    /// Ends the episode. One that has ended before has no rows left.
    fn end(&mut self) {
        if self.ended {
            self.clear();
        }
        self.ended = true;
    }

    /// Ends the episode: its rows with Monte Carlo targets, Vᵢ = Aₜ at the first visit, Aₜ = Rₜ₊₁ + γ Aₜ₊₁, computed
    /// backwards. Asked a second time, there are none.
    ///
    /// # Errors
    /// [`ConfigError::Gamma`] where γ is not in [0, 1]; nothing has changed then.
    pub fn monte_carlo(&mut self, gamma: A::Scalar) -> Result<&Batch<A, N, ROWS>, ConfigError> {
        check_gamma(gamma)?;
        Ok(self.end_with_returns(gamma))
    }

    /// [`monte_carlo`](Self::monte_carlo) with a γ that was checked before.
    pub(crate) fn end_with_returns(&mut self, gamma: A::Scalar) -> &Batch<A, N, ROWS> {
        self.end();
        let Self { batch, visited, steps, .. } = self;
        let mut following = None;
        let mut rows = visited.iter_mut().enumerate().rev().peekable();
        for (t, step) in steps.iter().enumerate().rev() {
            let value = following.map_or(step.reward, |following| A::backup(step.reward, gamma, following));
            following = Some(value);
            // First visits are in the order of time, so the next one back is the only candidate.
            if let Some((row, first)) = rows.next_if(|(_, (_, first))| *first == t as u32)
                && !batch.aim(row, value)
            {
                first.1 = NEVER;
            }
        }
        batch.keep(|row| visited.get(row).is_some_and(|(_, first)| *first != NEVER));
        batch
    }

    /// Ends the episode: its rows with one-step targets, Vᵢ = Rₜ₊₁ + γ φₜ₊₁·w, and Vᵢ = Rₜ₊₁ for the last step. Asked a
    /// second time, there are none.
    ///
    /// A state whose successor has unusable features has no target: its row is dropped and counted.
    ///
    /// ```
    /// use osculate::{Episode, Learner};
    /// let mut episode = Episode::<f32, char, 2, 8, 4>::new();
    /// episode.record('a', &[1.0, 0.0], 1.0);
    /// episode.record('b', &[0.0, 1.0], 3.0);
    /// let mut learner = Learner::<f32, 2>::default();
    /// learner.update(episode.one_step(0.5, &[0.0, 8.0])?); // V = 1 + 0.5 · 8 for a, V = 3 for b
    /// assert_eq!(learner.weights(), &[5.0, 3.0]);
    /// # Ok::<(), osculate::ConfigError>(())
    /// ```
    ///
    /// # Errors
    /// [`ConfigError::Gamma`] where γ is not in [0, 1]; nothing has changed then.
    pub fn one_step(&mut self, gamma: A::Scalar, weights: &[A::Weight; N]) -> Result<&Batch<A, N, ROWS>, ConfigError> {
        check_gamma(gamma)?;
        Ok(self.end_with_values(gamma, weights))
    }

    /// [`one_step`](Self::one_step) with a γ that was checked before.
    pub(crate) fn end_with_values(&mut self, gamma: A::Scalar, weights: &[A::Weight; N]) -> &Batch<A, N, ROWS> {
        self.end();
        let Self { batch, visited, steps, .. } = self;
        for (row, (_, first)) in visited.iter_mut().enumerate() {
            let t = *first as usize;
            let target = match (steps.get(t), steps.get(t + 1)) {
                (Some(step), None) => Some(step.reward),
                (Some(step), Some(next)) => {
                    batch.value(next.row.into(), weights).map(|value| A::backup(step.reward, gamma, value))
                }
                (None, _) => None,
            };
            if !target.is_some_and(|target| batch.aim(row, target)) {
                *first = NEVER;
            }
        }
        batch.keep(|row| visited.get(row).is_some_and(|(_, first)| *first != NEVER));
        batch
    }
}

impl<A: Arithmetic, K: PartialEq, const N: usize, const STEPS: usize, const ROWS: usize> Default
    for Episode<A, K, N, STEPS, ROWS>
{
    fn default() -> Self {
        Self::new()
    }
}
