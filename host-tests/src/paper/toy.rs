//! The toy example: φ = 1, 2 and V = 2, 1.

use osculate::{Q24, Q28};

use super::figure::{Axis, Bound, Claim, Figure, Line, Panel};
use super::learning::{ARITHMETICS, CURVATURE, limit};
use super::statistics::{most, summary};
use super::{Experiment, Size};
use crate::reference::Row;
use crate::reference::closed_form::{least_squares, scale_invariant};

/// Two equations for one number: w = 2 and 2w = 1.
fn rows() -> Vec<Row> {
    vec![(vec![1.0], 2.0), (vec![2.0], 1.0)]
}

/// Both criteria over w, and where they are least.
pub(super) fn figure(_: Size) -> Experiment {
    let work = |()| {
        let limits = [limit::<f64, 1, 2>, limit::<f32, 1, 2>, limit::<Q28, 1, 2>, limit::<Q24, 1, 2>];
        limits.map(|limit| limit(CURVATURE, &rows(), 100)[0])
    };
    Experiment::new([()], work, |learned| {
        let learned = learned[0];
        let (invariant, squares) = (scale_invariant(&rows())[0], least_squares(&rows())[0]);
        let curve = |weight: fn(f32) -> f64| {
            let at = |w: f64| {
                rows().iter().map(|(phi, v)| (f64::from(phi[0]) * w - f64::from(*v)).powi(2) * weight(phi[0])).sum()
            };
            (0..=100).map(|i| f64::from(i) * 0.02 + 0.25).map(|w| (w, at(w))).collect::<Vec<(f64, f64)>>()
        };
        let mark = |name: String, w: f64, curve: &[(f64, f64)]| {
            let height =
                curve.iter().min_by(|a, b| (a.0 - w).abs().total_cmp(&(b.0 - w).abs())).map_or(0.0, |(_, y)| *y);
            Line::plain(name, vec![(w, 0.0), (w, height)])
        };
        let (distances, residuals) = (curve(|phi| f64::from(phi).powi(-2)), curve(|_| 1.0));
        let off = learned.map(|w| (w - 1.25).abs());
        let mut results: Vec<_> =
            ARITHMETICS.iter().zip(learned).map(|(name, w)| summary("w", format!("paper, {name}"), &[w])).collect();
        results.push(summary("w", "closed form, distances", &[invariant]));
        results.push(summary("w", "closed form, least squares", &[squares]));
        Figure {
            id: "toy",
            title: "Two equations that contradict each other".into(),
            caption: "w = 2 and 2w = 1. Least squares prefers the equation with the larger feature and gives 4/5; the sum of squared \
                      distances to the two solutions gives their mean, 5/4."
                .into(),
            rules: vec!["distances to the hyperplanes (SIM)".into(), "least squares".into()],
            seeds: Vec::new(),
            panels: vec![Panel {
                title: "φ = 1, 2 and V = 2, 1".into(),
                x: Axis::linear("w"),
                y: Axis::linear("sum of squares"),
                lines: vec![
                    Line::plain("squared distances", distances.clone()).ink(0),
                    Line::plain("squared residuals", residuals.clone()).ink(1),
                    mark(format!("learned in f64: w = {}", learned[0]), learned[0], &distances).ink(0),
                    mark(format!("least squares: w = {squares:.1}"), squares, &residuals).ink(1),
                ],
            }],
            results,
            claims: vec![
                Claim::new("w learned − 5/4, worst of f64, f32, q28, q24", most(&off), Bound::AtMost, 1e-12),
                Claim::new("w of least squares − 4/5", (squares - 0.8).abs(), Bound::AtMost, 1e-12),
            ],
        }
    })
}
