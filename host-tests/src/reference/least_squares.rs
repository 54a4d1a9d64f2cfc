//! Recursive least squares, to both ends of f32's range.

use super::linear_model::{Flaw, inner, scaled, stored};

/// W in one row per output, and P.
#[derive(Clone, Debug)]
pub struct LeastSquares {
    weights: Vec<Vec<f64>>,
    doubt: Vec<Vec<f64>>,
}

impl LeastSquares {
    /// W = 0, P = 2¹⁰.
    pub fn new(inputs: usize, outputs: usize) -> Self {
        let row = |i| (0..inputs).map(|j| if i == j { 1024.0 } else { 0.0 }).collect();
        Self { weights: vec![vec![0.0; inputs]; outputs], doubt: (0..inputs).map(row).collect() }
    }

    /// W, as f32.
    pub fn weights(&self) -> Vec<Vec<f32>> {
        self.weights.iter().map(|row| row.iter().map(|&w| w as f32).collect()).collect()
    }

    /// u = P x, s = ‖x‖² + x·u, W_o += ((y_o − W_o·x)/s) u, P −= (u/√s)(u/√s)ᵀ, and P_ii += 2⁻¹⁴ up to 2¹⁰.
    ///
    /// # Errors
    /// [`Flaw`]; W and P are as before.
    pub fn learn(&mut self, x: &[f32], y: &[f32]) -> Result<(), Flaw> {
        let (x, unit) = scaled(x)?;
        let u: Vec<f64> = self.doubt.iter().map(|row| inner(row, &x)).collect();
        let s = stored(inner(&x, &x) + inner(&x, &u));
        let mut moved = Vec::new();
        for (w, &y) in self.weights.iter().zip(y) {
            if !y.is_finite() {
                return Err(Flaw::Output);
            }
            let step = stored(stored(stored(f64::from(y) / unit) - inner(&x, w)) / s);
            let w: Vec<f64> = w.iter().zip(&u).map(|(w, u)| stored(w + stored(step * u))).collect();
            if w.iter().any(|w| !w.is_finite()) {
                return Err(Flaw::Range);
            }
            moved.push(w);
        }
        self.weights = moved;
        let shrink = stored(1.0 / stored(s.sqrt()));
        let v: Vec<f64> = u.iter().map(|u| stored(u * shrink)).collect();
        for (i, row) in self.doubt.iter_mut().enumerate() {
            for (j, p) in row.iter_mut().enumerate() {
                *p = stored(*p - stored(v[i] * v[j]));
            }
            row[i] = stored(row[i] + 1.0 / 16384.0).min(1024.0);
        }
        Ok(())
    }
}
