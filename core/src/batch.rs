//! Rows (φ, V) that wait for an update.

use core::borrow::Borrow;

use heapless::Vec;

use crate::arithmetic::{Arithmetic, RowError};

/// Rows that an update can look at more than once, stored or made anew each time.
///
/// ```
/// use osculate::{Batch, batch::Rows};
/// let mut batch = Batch::<f32, 1, 2>::new();
/// batch.push(&[1.0], 2.0).unwrap();
/// batch.push(&[f32::NAN], 2.0).unwrap_err();
/// assert_eq!((batch.count(), batch.dropped()), (1, 1));
/// assert_eq!(batch.rows().count(), batch.count());
/// ```
pub trait Rows<A: Arithmetic, const N: usize> {
    /// How many rows there are.
    fn count(&self) -> usize;
    /// How many rows were dropped on the way here.
    fn dropped(&self) -> u32;
    /// All rows, in an order that does not change.
    fn rows(&self) -> impl Iterator<Item = impl Borrow<A::Row<N>>>;
}

/// Up to `T` rows of `N` features, admitted and stored: `T · (N + 3)` numbers, and no more.
///
/// A row that cannot be used is dropped and counted; the rows before it stay as they are.
///
/// ```
/// use osculate::{Batch, RowError, batch::Rows};
/// let mut batch = Batch::<f32, 2, 8>::new();
/// batch.push(&[1.0, 2.0], 3.0).unwrap();
/// assert_eq!(batch.push(&[0.0, 0.0], 3.0), Err(RowError::ZeroFeatures));
/// assert_eq!((batch.count(), batch.dropped()), (1, 1));
/// ```
#[derive(Clone, Debug)]
pub struct Batch<A: Arithmetic, const N: usize, const T: usize> {
    rows: Vec<A::Row<N>, T>,
    dropped: u32,
}

impl<A: Arithmetic, const N: usize, const T: usize> Batch<A, N, T> {
    /// A batch without rows.
    pub const fn new() -> Self {
        Self { rows: Vec::new(), dropped: 0 }
    }

    /// Adds a row, or drops it, counts it and says why.
    ///
    /// # Errors
    /// [`RowError`]: features all zero, anything not finite or out of range, or no room left.
    pub fn push(&mut self, features: &A::Features<N>, target: A::Target) -> Result<(), RowError> {
        let row = A::admit(features).and_then(|mut row| A::aim(&mut row, target).map(|()| row));
        row.and_then(|row| self.store(row)).inspect_err(|_| self.drop_one())
    }

    /// Forgets all rows and the count of dropped ones.
    ///
    /// ```
    /// use osculate::{Batch, batch::Rows};
    /// let mut batch = Batch::<f32, 1, 1>::new();
    /// batch.push(&[1.0], 2.0).unwrap();
    /// batch.push(&[1.0], 3.0).unwrap_err(); // full
    /// batch.clear();
    /// assert_eq!((batch.count(), batch.dropped()), (0, 0));
    /// batch.push(&[1.0], 3.0).unwrap();
    /// ```
    pub fn clear(&mut self) {
        self.rows.clear();
        self.dropped = 0;
    }

    /// Adds an admitted row; where there is no room it is not counted as dropped.
    pub(crate) fn store(&mut self, row: A::Row<N>) -> Result<(), RowError> {
        if self.rows.len() >= A::MAX_ROWS {
            return Err(RowError::BatchFull);
        }
        self.rows.push(row).map_err(|_| RowError::BatchFull)
    }

    pub(crate) fn drop_one(&mut self) {
        self.dropped = self.dropped.saturating_add(1);
    }

    /// Gives a row its target; whether that worked.
    pub(crate) fn aim(&mut self, row: usize, target: A::Target) -> bool {
        self.rows.get_mut(row).is_some_and(|row| A::aim(row, target).is_ok())
    }

    /// φ·w of a row.
    pub(crate) fn value(&self, row: usize, weights: &[A::Weight; N]) -> Option<A::Target> {
        self.rows.get(row).map(|row| A::row_value(row, weights))
    }

    /// Keeps the rows whose index satisfies `keep`, and counts the others as dropped.
    pub(crate) fn keep(&mut self, keep: impl Fn(usize) -> bool) {
        let before = self.rows.len();
        let mut index = 0;
        self.rows.retain(|_| {
            index += 1;
            keep(index - 1)
        });
        self.dropped = self.dropped.saturating_add((before - self.rows.len()) as u32);
    }
}

impl<A: Arithmetic, const N: usize, const T: usize> Rows<A, N> for Batch<A, N, T> {
    fn count(&self) -> usize {
        self.rows.len()
    }

    fn dropped(&self) -> u32 {
        self.dropped
    }

    fn rows(&self) -> impl Iterator<Item = impl Borrow<A::Row<N>>> {
        self.rows.iter()
    }
}

impl<A: Arithmetic, const N: usize, const T: usize> Default for Batch<A, N, T> {
    fn default() -> Self {
        Self::new()
    }
}
