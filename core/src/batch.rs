//! Rows (φ, V) that wait for an update.

use heapless::Vec;

use crate::arithmetic::{Arithmetic, RowError};

/// Up to `T` rows of `N` features, admitted and stored: `T · (N + 2)` numbers, and no more.
///
/// A row that cannot be used is dropped and counted; the rows before it stay as they are.
///
/// ```
/// use osculate::{Batch, RowError};
/// let mut batch = Batch::<f32, 2, 8>::new();
/// batch.push(&[1.0, 2.0], 3.0).unwrap();
/// assert_eq!(batch.push(&[0.0, 0.0], 3.0), Err(RowError::ZeroFeatures));
/// assert_eq!((batch.rows().len(), batch.dropped()), (1, 1));
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
        let admitted = A::admit(features, target).and_then(|row| {
            if self.rows.len() >= A::MAX_ROWS {
                return Err(RowError::BatchFull);
            }
            self.rows.push(row).map_err(|_| RowError::BatchFull)
        });
        if admitted.is_err() {
            self.dropped = self.dropped.saturating_add(1);
        }
        admitted
    }

    /// The rows admitted since the last [`clear`](Self::clear), in their order.
    pub fn rows(&self) -> &[A::Row<N>] {
        &self.rows
    }

    /// How many rows were dropped since the last [`clear`](Self::clear).
    pub fn dropped(&self) -> u32 {
        self.dropped
    }

    /// Forgets all rows and the count of dropped ones.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.dropped = 0;
    }
}

impl<A: Arithmetic, const N: usize, const T: usize> Default for Batch<A, N, T> {
    fn default() -> Self {
        Self::new()
    }
}
