//! Figures 1a and 1b: equations without noise, all of them in every update.

use osculate::Q28;
use osculate_lab::drawing::{Axis, Panel};
use osculate_lab::numbers::median;

use super::figure::{Claim, Curves, Figure, Summary, by_seed, least, log_spaced, most};
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
    let runs = by_seed("1a", size.seeds, names, |seed| {
        let rows = consistent(seed, 100, 30);
        let learners = [CURVATURE, NORMAL].into_iter().zip(LAST);
        let runs = learners.flat_map(|(rule, last)| in_all::<30, 100>(rule).map(|learner| (learner, last)));
        runs.map(|(mut learner, last)| descent(&mut *learner, &rows, last)).collect()
    });
    let quantity = format!("iterations to 1e-6 ({} and {} tried)", LAST[0], LAST[1]);
    let medians: Vec<f64> = runs.iter().map(|run| median(run.each(to_goal))).collect();
    let line = |rule: usize| {
        let counts = log_spaced(LAST[rule], 20);
        Curves { name: rules[rule].into(), ..runs[4 * rule].at(&counts) }.line(&counts)
    };
    Figure {
        id: "1a",
        title: "The curvature step against the normal step",
        caption: format!(
            "100 equations of 30 features, entries uniform in [−1, 1], one solution, no noise; every update sees all \
             equations; η = 1, no momentum. The distance to w*, relative to ‖w*‖: median of {} seeds in f64, shaded from \
             the best seed to the worst. The normal step is α = 1.",
            size.seeds
        ),
        seeds: size.all_seeds(),
        panels: vec![Panel::new(
            "100 × 30, no noise",
            Axis::log("iterations"),
            Axis::log("relative error"),
            vec![line(0), line(1)],
        )],
        results: runs.iter().map(|run| Summary::new(&quantity, &run.name, &run.each(to_goal))).collect(),
        claims: vec![
            Claim::at_most(
                "iterations to 1e-6 with curvature, median, worst of f64, f32, q28, q24",
                most(&medians[..4]),
                70.0,
            ),
            Claim::at_least("iterations to 1e-6 without, median, best of the four", least(&medians[4..]), 1e3),
        ],
    }
}

/// The sizes of figure 1b, with the learners that run them. Fixed-point rows have at most 128 features.
type Learners = fn() -> Vec<(&'static str, Box<dyn Contender>)>;
const SIZES: [(&str, usize, usize, Learners); 3] = [
    ("100 × 30", 100, 30, || with_fixed_point::<30, 100>()),
    ("500 × 125", 500, 125, || with_fixed_point::<125, 500>()),
    ("1000 × 250", 1_000, 250, floats::<250, 1_000>),
];

fn floats<const N: usize, const ROWS: usize>() -> Vec<(&'static str, Box<dyn Contender>)> {
    vec![("f64", stored::<f64, N, ROWS>(CURVATURE)), ("f32", stored::<f32, N, ROWS>(CURVATURE))]
}

fn with_fixed_point<const N: usize, const ROWS: usize>() -> Vec<(&'static str, Box<dyn Contender>)> {
    let mut all = floats::<N, ROWS>();
    all.push(("q28", stored::<Q28, N, ROWS>(CURVATURE)));
    all
}

/// Figure 1b: systems of different sizes.
pub(super) fn sizes(size: Size) -> Figure {
    const LAST: u32 = 100;
    let seeds = size.many_seeds;
    let (mut lines, mut results) = (Vec::new(), Vec::new());
    let counts: Vec<u32> = (1..=LAST).collect();
    for (name, m, n, learners) in SIZES {
        let names = learners().into_iter().map(|(arithmetic, _)| format!("{name}, {arithmetic}"));
        let runs = by_seed("1b", seeds, names, |seed| {
            let rows = consistent(seed, m, n);
            learners().iter_mut().map(|(_, learner)| descent(&mut **learner, &rows, LAST)).collect()
        });
        lines.push(Curves { name: name.into(), ..runs[0].clone() }.line(&counts));
        results.extend(runs.iter().map(|run| Summary::new("iterations to 1e-6", &run.name, &run.each(to_goal))));
    }
    let medians: Vec<f64> = results.iter().map(|result| result.median).collect();
    Figure {
        id: "1b",
        title: "The number of iterations hardly depends on the size",
        caption: format!(
            "The curvature step on systems of three sizes; otherwise as in 1a. Median of {seeds} seeds in f64, shaded from best to \
             worst. Fixed-point rows have at most 128 features, so q28 runs the first two sizes."
        ),
        seeds: (0..seeds).collect(),
        panels: vec![Panel::new(
            "equations × features, no noise",
            Axis::linear("iterations"),
            Axis::log("relative error"),
            lines,
        )],
        results,
        claims: vec![Claim::at_most(
            "iterations to 1e-6, largest median over smallest, all sizes and arithmetics",
            most(&medians) / least(&medians),
            1.25,
        )],
    }
}
