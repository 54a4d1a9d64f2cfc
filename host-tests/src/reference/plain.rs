//! The update as the paper writes it: means, f64 throughout.

use nalgebra::DVector;

use super::Row;

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
