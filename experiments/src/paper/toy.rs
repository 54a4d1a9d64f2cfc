//! The toy example: φ = 1, 2 and V = 2, 1.

use osculate_host_tests::reference::Row;
use osculate_host_tests::reference::closed_form::{least_squares, scale_invariant};
use osculate_lab::drawing::{Axis, Line};
use osculate_lab::numbers::most;

use super::figure::{Claim, Figure, Summary};
use super::learning::{CURVATURE, in_all, limit};
use super::{ARITHMETICS, Size};

/// Both criteria over w, and where they are least.
pub(super) fn figure(_: Size) -> Figure {
    // Two equations for one number: w = 2 and 2w = 1.
    let rows: [Row; 2] = [(vec![1.0], 2.0), (vec![2.0], 1.0)];
    let learned = in_all::<1, 2>(CURVATURE).map(|mut learner| limit(&mut learner, &rows, 100)[0]);
    let (invariant, squares) = (scale_invariant(&rows)[0], least_squares(&rows)[0]);
    let curve = |weight: fn(f64) -> f64| -> Vec<(f64, f64)> {
        let square = |(phi, v): &Row, w: f64| (f64::from(phi[0]) * w - f64::from(*v)).powi(2);
        let at = |w: f64| rows.iter().map(|row| square(row, w) * weight(f64::from(row.0[0]))).sum();
        (0..=100).map(|i| f64::from(i) * 0.02 + 0.25).map(|w| (w, at(w))).collect()
    };
    let mark = |name: String, w: f64, curve: &[(f64, f64)]| {
        let nearest = curve.iter().min_by(|a, b| (a.0 - w).abs().total_cmp(&(b.0 - w).abs()));
        Line::plain(name, vec![(w, 0.0), (w, nearest.map_or(0.0, |(_, y)| *y))])
    };
    let (distances, residuals) = (curve(|phi| phi.powi(-2)), curve(|_| 1.0));
    let lines = vec![
        Line::plain("squared distances", distances.clone()).ink(0),
        Line::plain("squared residuals", residuals.clone()).ink(1),
        mark(format!("learned in f64: w = {}", learned[0]), learned[0], &distances).ink(0),
        mark(format!("least squares: w = {squares:.1}"), squares, &residuals).ink(1),
    ];
    let closed = [("closed form, distances", invariant), ("closed form, least squares", squares)];
    let worst = most(&learned.map(|w| (w - 1.25).abs()));
    let caption = "w = 2 and 2w = 1. Least squares prefers the equation with the larger feature and gives 4/5; the sum of squared \
                   distances to the two solutions gives their mean, 5/4.";
    Figure::new("toy", "Two equations that contradict each other", caption)
        .panel("φ = 1, 2 and V = 2, 1", Axis::linear("w"), Axis::linear("sum of squares"), lines)
        .results(ARITHMETICS.iter().zip(learned).map(|(name, w)| Summary::new("w", format!("paper, {name}"), &[w])))
        .results(closed.map(|(name, w)| Summary::new("w", name, &[w])))
        .claims([
            Claim::at_most("w learned − 5/4, worst of f64, f32, q28, q24", worst, 1e-12),
            Claim::at_most("w of least squares − 4/5", (squares - 0.8).abs(), 1e-12),
        ])
}
