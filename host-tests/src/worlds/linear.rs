//! Linear systems φᵢ·w = Vᵢ.

use super::Dice;
use crate::reference::Row;

/// A row of n features uniform in [−1, 1).
pub fn row(dice: &mut Dice, n: usize) -> Vec<f32> {
    (0..n).map(|_| dice.uniform()).collect()
}

/// Rows whose targets are all consistent with one weight vector, up to one rounding per target.
#[derive(Clone, Debug)]
pub struct LinearSystem {
    /// φᵢ and Vᵢ.
    pub rows: Vec<Row>,
}

impl LinearSystem {
    /// m rows of n features, features and true weights uniform in [−1, 1).
    pub fn consistent(seed: u64, m: usize, n: usize) -> Self {
        let mut dice = Dice::new(seed);
        let truth = row(&mut dice, n);
        let rows = (0..m).map(|_| {
            let phi = row(&mut dice, n);
            let v: f64 = phi.iter().zip(&truth).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
            (phi, v as f32)
        });
        Self { rows: rows.collect() }
    }
}
