//! Figures 1a and 1b: equations without noise, all of them in every update.

use osculate::{Q24, Q28, StoredConfig};

use super::figure::{Axis, Bound, Claim, Figure, Panel};
use super::learning::{ARITHMETICS, CURVATURE, NORMAL, at, descent, to_goal};
use super::problem::consistent;
use super::statistics::{least, log_spaced, median, most, over_seeds, summary};
use super::{Experiment, Size};
use crate::reference::Row;

const ROWS: usize = 100;
const FEATURES: usize = 30;
/// Updates with the normal step, which takes 1 600 or so to the goal.
const LAST: u32 = 3_000;
/// Updates with the curvature step.
const LAST_CURVATURE: u32 = 200;

type Descent = fn(StoredConfig, &[Row], u32) -> Vec<f64>;
const DESCENTS: [Descent; 4] = [
    descent::<f64, FEATURES, ROWS>,
    descent::<f32, FEATURES, ROWS>,
    descent::<Q28, FEATURES, ROWS>,
    descent::<Q24, FEATURES, ROWS>,
];

/// Figure 1a: the curvature step against the normal step.
pub(super) fn steps(size: Size) -> Experiment {
    let work = |seed| {
        let rows = consistent(seed, ROWS, FEATURES);
        DESCENTS.map(|descent| [descent(CURVATURE, &rows, LAST_CURVATURE), descent(NORMAL, &rows, LAST)])
    };
    Experiment::new(size.all_seeds(), work, move |runs| {
        let of = |arithmetic: usize, rule: usize| -> Vec<Vec<f64>> {
            runs.iter().map(|run| run[arithmetic][rule].clone()).collect()
        };
        let iterations =
            |arithmetic, rule| -> Vec<f64> { of(arithmetic, rule).iter().map(|run| to_goal(run)).collect() };
        let medians = |rule| [0, 1, 2, 3].map(|arithmetic| median(&iterations(arithmetic, rule)));
        let line = |name: &str, rule, last| {
            let counts = log_spaced(last, 20);
            let curves: Vec<_> = of(0, rule).iter().map(|run| at(run, &counts)).collect();
            over_seeds(name, &counts, &curves, median)
        };
        let rules = ["curvature step", "normal step"];
        let quantity = format!("iterations to 1e-6 ({LAST_CURVATURE} and {LAST} tried)");
        let results = (0..2).flat_map(|rule| {
            let named = |arithmetic: usize| format!("{}, {}", rules[rule], ARITHMETICS[arithmetic]);
            let all = (0..4).map(|arithmetic| summary(&quantity, named(arithmetic), &iterations(arithmetic, rule)));
            all.collect::<Vec<_>>()
        });
        Figure {
            id: "1a",
            title: "The curvature step against the normal step".into(),
            caption: format!(
                "{ROWS} equations of {FEATURES} features, entries uniform in [−1, 1], one solution, no noise; every update sees all \
                 equations; η = 1, no momentum. The distance to w*, relative to ‖w*‖: median of {} seeds in f64, shaded from \
                 the best seed to the worst. The normal step is α = 1.",
                size.seeds
            ),
            rules: rules.map(Into::into).into(),
            seeds: size.all_seeds(),
            panels: vec![Panel {
                title: format!("{ROWS} × {FEATURES}, no noise"),
                x: Axis::log("iterations"),
                y: Axis::log("relative error"),
                lines: vec![line(rules[0], 0, LAST_CURVATURE), line(rules[1], 1, LAST)],
            }],
            results: results.collect(),
            claims: vec![
                Claim::new(
                    "iterations to 1e-6 with curvature, median, worst of f64, f32, q28, q24",
                    most(&medians(0)),
                    Bound::AtMost,
                    70.0,
                ),
                Claim::new(
                    "iterations to 1e-6 without, median, best of the four",
                    least(&medians(1)),
                    Bound::AtLeast,
                    1e3,
                ),
            ],
        }
    })
}

/// What runs a size, by arithmetic.
type Runners = &'static [(&'static str, Descent)];
/// The sizes of figure 1b, with what runs them.
const SIZES: [(&str, usize, usize, Runners); 3] = [
    ("100 × 30", 100, 30, &[("f64", DESCENTS[0]), ("f32", DESCENTS[1]), ("q28", DESCENTS[2])]),
    (
        "500 × 125",
        500,
        125,
        &[("f64", descent::<f64, 125, 500>), ("f32", descent::<f32, 125, 500>), ("q28", descent::<Q28, 125, 500>)],
    ),
    ("1000 × 250", 1_000, 250, &[("f64", descent::<f64, 250, 1_000>), ("f32", descent::<f32, 250, 1_000>)]),
];
/// Updates in figure 1b.
const LAST_OF_SIZES: u32 = 100;

/// Always as many: the small systems differ from seed to seed by more than the sizes do.
const SEEDS: u64 = 20;

/// Figure 1b: systems of different sizes.
pub(super) fn sizes(_: Size) -> Experiment {
    // The large ones first, so that no core waits for the other at the end.
    let inputs = (0..SIZES.len()).rev().flat_map(move |i| (0..SEEDS).map(move |seed| (i, seed)));
    let inputs: Vec<(usize, u64)> = inputs.collect();
    let work = |(i, seed): (usize, u64)| {
        let (_, m, n, descents) = SIZES[i];
        let rows = consistent(seed, m, n);
        descents.iter().map(|(_, descent)| descent(CURVATURE, &rows, LAST_OF_SIZES)).collect::<Vec<_>>()
    };
    Experiment::new(inputs.clone(), work, move |runs| {
        let of = |i: usize, arithmetic: usize| -> Vec<Vec<f64>> {
            let mine = inputs.iter().zip(&runs).filter(|((size, _), _)| *size == i);
            mine.map(|(_, run)| run[arithmetic].clone()).collect()
        };
        let iterations = |i, arithmetic| -> Vec<f64> { of(i, arithmetic).iter().map(|run| to_goal(run)).collect() };
        let counts: Vec<u32> = (1..=LAST_OF_SIZES).collect();
        let (mut lines, mut results) = (Vec::new(), Vec::new());
        for (i, (name, .., descents)) in SIZES.iter().enumerate() {
            lines.push(over_seeds(*name, &counts, &of(i, 0), median));
            for (arithmetic, (arithmetic_name, _)) in descents.iter().enumerate() {
                let named = format!("{name}, {arithmetic_name}");
                results.push(summary("iterations to 1e-6", named, &iterations(i, arithmetic)));
            }
        }
        let medians: Vec<f64> = results.iter().map(|result| result.median).collect();
        Figure {
            id: "1b",
            title: "The number of iterations hardly depends on the size".into(),
            caption: format!(
                "The curvature step on systems of three sizes; otherwise as in 1a. Median of {} seeds in f64, shaded from best to \
                 worst. Fixed-point rows have at most 128 features, so q28 runs the first two sizes.",
                SEEDS
            ),
            rules: vec!["curvature step".into()],
            seeds: (0..SEEDS).collect(),
            panels: vec![Panel {
                title: "equations × features, no noise".into(),
                x: Axis::linear("iterations"),
                y: Axis::log("relative error"),
                lines,
            }],
            results,
            claims: vec![Claim::new(
                "iterations to 1e-6, largest median over smallest, all sizes and arithmetics",
                most(&medians) / least(&medians),
                Bound::AtMost,
                1.25,
            )],
        }
    })
}
