//! The minimisers, by a dense solver.

use nalgebra::{DMatrix, DVector};

use super::Row;

/// argmin Σ (weight(‖φᵢ‖, dᵢ)·(φᵢ·w − Vᵢ))² for rows (φᵢ, Vᵢ, dᵢ).
fn solve(rows: &[(&[f32], f64, f64)], weight: impl Fn(f64, f64) -> f64) -> DVector<f64> {
    let n = rows.first().map_or(0, |(phi, ..)| phi.len());
    let norm = |phi: &[f32]| phi.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>().sqrt();
    let scale: Vec<f64> = rows.iter().map(|(phi, _, d)| weight(norm(phi), *d)).collect();
    let phi = DMatrix::from_fn(rows.len(), n, |i, j| f64::from(rows[i].0[j]) * scale[i]);
    let v = DVector::from_fn(rows.len(), |i, _| rows[i].1 * scale[i]);
    // Singular values this far below the largest mean that the rows do not determine w along them: leave it at 0 there.
    let decomposition = phi.svd(true, true);
    let cutoff = 1e-12 * decomposition.singular_values.max();
    decomposition.solve(&v, cutoff).expect("both factors were asked for")
}

fn equally(rows: &[Row]) -> Vec<(&[f32], f64, f64)> {
    rows.iter().map(|(phi, v)| (phi.as_slice(), f64::from(*v), 1.0)).collect()
}

/// w* = argmin Σ (φᵢ·w − Vᵢ)²/‖φᵢ‖², the scale-invariant solution.
pub fn scale_invariant(rows: &[Row]) -> DVector<f64> {
    solve(&equally(rows), |norm, _| 1.0 / norm)
}

/// w* = argmin Σ dᵢ (φᵢ·w − Vᵢ)²/‖φᵢ‖² for rows (φᵢ, Vᵢ, dᵢ).
pub fn weighted_scale_invariant(rows: &[(Vec<f32>, f64, f64)]) -> DVector<f64> {
    let rows: Vec<_> = rows.iter().map(|(phi, v, d)| (phi.as_slice(), *v, *d)).collect();
    solve(&rows, |norm, d| d.sqrt() / norm)
}

/// argmin Σ (φᵢ·w − Vᵢ)², the least-squares solution.
pub fn least_squares(rows: &[Row]) -> DVector<f64> {
    solve(&equally(rows), |_, _| 1.0)
}

/// ‖w − w*‖/‖w*‖.
pub fn relative_error<W: Copy + Into<f64>>(w: &[W], solution: &DVector<f64>) -> f64 {
    let w = DVector::from_iterator(w.len(), w.iter().map(|&x| x.into()));
    (w - solution).norm() / solution.norm()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toy_problem_of_the_paper() {
        let rows = [(vec![1.0], 2.0), (vec![2.0], 1.0)];
        assert!((scale_invariant(&rows)[0] - 1.25).abs() < 1e-15);
        assert!((least_squares(&rows)[0] - 0.8).abs() < 1e-15);
    }
}
