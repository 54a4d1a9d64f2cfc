//! Figures 1a and 1b, equations without noise, all of them in every update; and equations that contradict each other.

use nalgebra::DVector;
use osculate::{Q28, Schedule, StoredConfig, Theta};
use osculate_host_tests::reference::Row;
use osculate_host_tests::reference::closed_form::{least_squares, scale_invariant};
use osculate_lab::drawing::{Axis, Line};
use osculate_lab::numbers::{least, median, most};

use super::Size;
use super::figure::{Claim, Figure};
use crate::contender::Contender;
use crate::curves::{Summary, by_seed, log_spaced};
use crate::equations::{
    FEATURES, STATES, consistent, contradictory, descent, in_all, limit, rescaled, rescaled_by_powers_of_two,
};
use crate::rules::ARITHMETICS;
use crate::rules::ours::stored;

/// The curvature step with η = 1, no momentum, and no threshold that stops short of the goal.
pub(super) const CURVATURE: StoredConfig =
    StoredConfig { schedule: Schedule::Constant(1.0), beta: 0.0, skip_below: 0.0, ..StoredConfig::PAPER };

/// The relative error that noise-free runs must reach.
pub(super) const GOAL: f64 = 1e-6;

/// The first update after which the error is at most [`GOAL`]; the number of updates tried if there is none.
pub(super) fn to_goal(errors: &[f64]) -> f64 {
    errors.iter().position(|error| *error <= GOAL).map_or(errors.len(), |index| index + 1) as f64
}

/// The rules of figure 1a, and updates: the normal step, α = 1, takes 1 600 or so to the goal.
const RULES: [(&str, StoredConfig, u32); 2] =
    [("curvature step", CURVATURE, 200), ("normal step", StoredConfig { theta: Theta::One, ..CURVATURE }, 3_000)];

/// Figure 1a: the curvature step against the normal step.
pub(super) fn steps(size: Size) -> Figure {
    let runs = by_seed("figure 1a", 0..size.seeds, |seed| {
        let rows = consistent(seed, 100, 30);
        let run = |(name, rule, last)| descent(&mut in_all::<30, 100>(name, rule), &rows, last);
        RULES.into_iter().flat_map(run).collect()
    });
    let quantity = format!("iterations to 1e-6 ({} and {} tried)", RULES[0].2, RULES[1].2);
    let medians: Vec<f64> = runs.iter().map(|run| median(run.each(to_goal))).collect();
    let line = |i: usize| {
        let (name, _, last) = RULES[i];
        let counts = log_spaced(last, 20);
        runs[4 * i].at(&counts).named(name).line(&counts)
    };
    let [with, without] = [most(&medians[..4]), least(&medians[4..])];
    let caption = format!(
        "100 equations of 30 features, entries uniform in [−1, 1], one solution, no noise; every update sees all \
         equations; η = 1, no momentum. The distance to w*, relative to ‖w*‖: median of {} seeds in f64, shaded from \
         the best seed to the worst. The normal step is α = 1.",
        size.seeds
    );
    Figure::new("1a", "The curvature step against the normal step", caption)
        .seeds(size.seeds)
        .errors("100 × 30, no noise", Axis::log("iterations"), vec![line(0), line(1)])
        .results(runs.iter().map(|run| run.summary(&quantity, to_goal)))
        .claims([
            Claim::at_most("iterations to 1e-6 with curvature, median, worst of f64, f32, q28, q24", with, 70.0),
            Claim::at_least("iterations to 1e-6 without, median, best of the four", without, 1e3),
        ])
}

/// The sizes of figure 1b, with the learners that run them. Fixed-point rows have at most 128 features.
type Learner = (&'static str, fn(StoredConfig) -> Contender);
const SIZES: [(&str, usize, usize, &[Learner]); 3] = [
    (
        "100 × 30",
        100,
        30,
        &[("f64", stored::<f64, 30, 100>), ("f32", stored::<f32, 30, 100>), ("q28", stored::<Q28, 30, 100>)],
    ),
    (
        "500 × 125",
        500,
        125,
        &[("f64", stored::<f64, 125, 500>), ("f32", stored::<f32, 125, 500>), ("q28", stored::<Q28, 125, 500>)],
    ),
    ("1000 × 250", 1_000, 250, &[("f64", stored::<f64, 250, 1_000>), ("f32", stored::<f32, 250, 1_000>)]),
];

/// Figure 1b: systems of different sizes.
pub(super) fn sizes(size: Size) -> Figure {
    let (seeds, counts) = (size.many_seeds, Vec::from_iter(1..=100));
    let (mut lines, mut results) = (Vec::new(), Vec::new());
    for (name, m, n, learners) in SIZES {
        let runs = by_seed("figure 1b", 0..seeds, |seed| {
            let new = learners.iter().map(|(arithmetic, new)| new(CURVATURE).named(format!("{name}, {arithmetic}")));
            descent(&mut new.collect::<Vec<_>>(), &consistent(seed, m, n), 100)
        });
        lines.push(runs[0].named(name).line(&counts));
        results.extend(runs.iter().map(|run| run.summary("iterations to 1e-6", to_goal)));
    }
    let medians: Vec<f64> = results.iter().map(|result| result.median).collect();
    let what = "iterations to 1e-6, largest median over smallest, all sizes and arithmetics";
    let caption = format!(
        "The curvature step on systems of three sizes; otherwise as in 1a. Median of {seeds} seeds in f64, shaded from best to \
         worst. Fixed-point rows have at most 128 features, so q28 runs the first two sizes."
    );
    Figure::new("1b", "The number of iterations hardly depends on the size", caption)
        .seeds(seeds)
        .errors("equations × features, no noise", Axis::linear("iterations"), lines)
        .results(results)
        .claims([Claim::at_most(what, most(&medians) / least(&medians), 1.25)])
}

/// The toy example, φ = 1, 2 and V = 2, 1: both criteria over w, and where they are least.
pub(super) fn toy(_: Size) -> Figure {
    // Two equations for one number: w = 2 and 2w = 1.
    let rows: [Row; 2] = [(vec![1.0], 2.0), (vec![2.0], 1.0)];
    let learned = in_all::<1, 2>("", CURVATURE).map(|mut learner| limit(&mut learner, &rows, 100)[0]);
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

/// Factors are 10^u with u in ± these.
const DECADES: [u32; 3] = [1, 2, 3];

type Solve = fn(&[Row]) -> DVector<f64>;
const SOLVERS: [(&str, Solve); 4] = [
    ("least squares", least_squares),
    ("q28", |rows| at_limit(stored::<Q28, FEATURES, STATES>, rows)),
    ("f32", |rows| at_limit(stored::<f32, FEATURES, STATES>, rows)),
    ("f64", |rows| at_limit(stored::<f64, FEATURES, STATES>, rows)),
];

/// With momentum even the worst of these systems is then at its limit.
fn at_limit(new: fn(StoredConfig) -> Contender, rows: &[Row]) -> DVector<f64> {
    limit(&mut new(StoredConfig { beta: 0.5, ..CURVATURE }), rows, 3_000)
}

/// How far the limit moves when equations are rescaled.
pub(super) fn scale(size: Size) -> Figure {
    // By solver: the shift for each range of factors, and then for powers of two.
    let runs = by_seed("figure scale", 0..size.seeds, |seed| {
        let rows = contradictory(seed, STATES, FEATURES);
        let shifts = |(name, solve): (&str, Solve)| {
            let before = solve(&rows);
            let mut scaled = Vec::from(DECADES.map(|decades| rescaled(&rows, seed + 1_000, decades.into())));
            scaled.push(rescaled_by_powers_of_two(&rows, seed + 1_000, 3.0));
            (name.to_owned(), scaled.iter().map(|rows| (solve(rows) - &before).norm()).collect())
        };
        SOLVERS.map(shifts).into()
    });
    let three_decades = |shifts: &[f64]| shifts[2];
    let mut results = Vec::new();
    for (solver, run) in runs.iter().enumerate() {
        results.push(run.summary("shift of w with factors 10^[-3, 3]", three_decades));
        if solver > 0 {
            results.push(run.ends("shift of w with powers of two in the same range"));
        }
    }
    let powers_of_two = most(&runs[1..].iter().flat_map(|run| run.last()).collect::<Vec<_>>());
    let squares = least(&runs[0].each(three_decades));
    let caption = format!(
        "{STATES} equations of {FEATURES} features that contradict each other, features and targets uniform in [−1, 1]; each equation is \
         multiplied by its own factor between 10^−s and 10^s, which changes no equation. How far the solution moves, ‖Δw‖, median \
         of {} seeds. Powers of two change not a single bit in any arithmetic; other factors only the rounding of the rows.",
        size.seeds
    );
    let (x, y) = (Axis::linear("s, decades up and down"), Axis::log("shift of the solution ‖Δw‖"));
    Figure::new("scale", "Equations in any units", caption)
        .seeds(size.seeds)
        .panel("equations times 10^[−s, s]", x, y, runs.iter().map(|run| run.thin(&DECADES)).collect())
        .results(results)
        .claims([
            Claim::at_most("shift of w*, f64, worst seed", most(&runs[3].each(three_decades)), 1e-10),
            Claim::at_most("shift by powers of two, worst seed of all arithmetics", powers_of_two, 0.0),
            Claim::above_one("shift of the least-squares solution, smallest of all seeds", squares),
        ])
}
