//! The update as the paper writes it: means, f64 throughout.

use nalgebra::DVector;

use super::Row;

/// ‖w_f32 − w_f64‖/‖w_f64‖ after one update of a batch with n ≤ 32, τ ≤ 64.
///
/// A dot product of n terms in four lanes has a chain of at most n/4 + 2 roundings, and the sum over rows adds τ more:
/// 2⁻²⁴ · 80 in the worst case without cancellation. ϑ divides two such norms.
pub const ONE_UPDATE: f64 = 80.0 / (1 << 24) as f64;

/// |ϑ_f32/ϑ_f64 − 1| for the same batches.
pub const THETA: f64 = 2.0 * ONE_UPDATE;

/// One update with a gain of 1, from w at rest. Returns the next w and ϑ, or `None` if ‖c‖ is below the threshold or 0.
/// The rows must be usable.
pub fn update(w: &[f64], rows: &[Row], skip_below: f64) -> Option<(DVector<f64>, f64)> {
    let w = DVector::from_column_slice(w);
    let rows: Vec<(DVector<f64>, f64)> = rows
        .iter()
        .map(|(phi, v)| (DVector::from_iterator(phi.len(), phi.iter().map(|&x| x.into())), f64::from(*v)))
        .collect();
    let mean_projection = |at: &dyn Fn(&DVector<f64>, f64) -> f64| {
        let zero = DVector::zeros(w.len());
        rows.iter().fold(zero, |sum, (phi, v)| sum + phi * (at(phi, *v) / phi.norm_squared())) / rows.len() as f64
    };
    let g = mean_projection(&|phi, v| phi.dot(&w) - v);
    let c = mean_projection(&|phi, _| phi.dot(&g));
    if c.norm() < skip_below || c.norm() == 0.0 {
        return None;
    }
    let theta = g.norm() / c.norm();
    Some((&w - g * theta, theta))
}
