//! Scale invariance: equations multiplied by factors of any size.

use nalgebra::DVector;
use osculate::{Q28, StoredConfig};
use osculate_host_tests::reference::Row;
use osculate_host_tests::reference::closed_form::least_squares;
use osculate_lab::drawing::Axis;
use osculate_lab::numbers::{least, most};

use super::figure::{Claim, Figure, Summary, by_seed};
use super::learning::{CURVATURE, limit};
use super::{FEATURES, STATES, Size};
use crate::contender::Contender;
use crate::rules::ours::stored;
use crate::worlds::equations::{contradictory, rescaled, rescaled_by_powers_of_two};

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
pub(super) fn figure(size: Size) -> Figure {
    // By solver: the shift for each range of factors, and then for powers of two.
    let runs = by_seed("figure scale", size.seeds, SOLVERS.map(|(name, _)| name), |seed| {
        let rows = contradictory(seed, STATES, FEATURES);
        let shifts = |(_, solve): (&str, Solve)| {
            let before = solve(&rows);
            let mut scaled = Vec::from(DECADES.map(|decades| rescaled(&rows, seed + 1_000, decades.into())));
            scaled.push(rescaled_by_powers_of_two(&rows, seed + 1_000, 3.0));
            scaled.iter().map(|rows| (solve(rows) - &before).norm()).collect()
        };
        SOLVERS.map(shifts).into()
    });
    let three_decades = |solver: usize| runs[solver].each(|shifts| shifts[2]);
    let mut results = Vec::new();
    for (solver, run) in runs.iter().enumerate() {
        results.push(Summary::new("shift of w with factors 10^[-3, 3]", &run.name, &three_decades(solver)));
        if solver > 0 {
            results.push(run.ends("shift of w with powers of two in the same range"));
        }
    }
    let powers_of_two = most(&runs[1..].iter().flat_map(|run| run.last()).collect::<Vec<_>>());
    let squares = least(&three_decades(0));
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
            Claim::at_most("shift of w*, f64, worst seed", most(&three_decades(3)), 1e-10),
            Claim::at_most("shift by powers of two, worst seed of all arithmetics", powers_of_two, 0.0),
            Claim::above_one("shift of the least-squares solution, smallest of all seeds", squares),
        ])
}
