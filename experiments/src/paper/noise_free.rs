//! Figures 1a and 1b: equations without noise, all of them in every update.

use osculate::{Q28, StoredConfig};
use osculate_lab::drawing::Axis;
use osculate_lab::numbers::{least, median, most};

use super::figure::{Claim, Figure, Summary, by_seed, log_spaced};
use super::learning::{CURVATURE, NORMAL, descent, in_all, to_goal};
use super::{ARITHMETICS, Size};
use crate::contender::Contender;
use crate::rules::ours::stored;
use crate::worlds::equations::consistent;

/// Updates with the curvature step, and with the normal step, which takes 1 600 or so to the goal.
const LAST: [u32; 2] = [200, 3_000];

/// Figure 1a: the curvature step against the normal step.
pub(super) fn steps(size: Size) -> Figure {
    let rules = ["curvature step", "normal step"];
    let names = rules.iter().flat_map(|rule| ARITHMETICS.map(|arithmetic| format!("{rule}, {arithmetic}")));
    let runs = by_seed("figure 1a", size.seeds, names, |seed| {
        let rows = consistent(seed, 100, 30);
        let learners = [CURVATURE, NORMAL].into_iter().zip(LAST);
        let runs = learners.flat_map(|(rule, last)| in_all::<30, 100>(rule).map(|learner| (learner, last)));
        runs.map(|(mut learner, last)| descent(&mut learner, &rows, last)).collect()
    });
    let quantity = format!("iterations to 1e-6 ({} and {} tried)", LAST[0], LAST[1]);
    let medians: Vec<f64> = runs.iter().map(|run| median(run.each(to_goal))).collect();
    let line = |rule: usize| {
        let counts = log_spaced(LAST[rule], 20);
        runs[4 * rule].at(&counts).named(rules[rule]).line(&counts)
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
        .results(runs.iter().map(|run| Summary::new(&quantity, &run.name, &run.each(to_goal))))
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
        let names = learners.iter().map(|(arithmetic, _)| format!("{name}, {arithmetic}"));
        let runs = by_seed("figure 1b", seeds, names, |seed| {
            let rows = consistent(seed, m, n);
            learners.iter().map(|(_, new)| descent(&mut new(CURVATURE), &rows, 100)).collect()
        });
        lines.push(runs[0].named(name).line(&counts));
        results.extend(runs.iter().map(|run| Summary::new("iterations to 1e-6", &run.name, &run.each(to_goal))));
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
