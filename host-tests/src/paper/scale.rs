//! Scale invariance: equations multiplied by factors of any size.

use nalgebra::DVector;
use osculate::{Q28, StoredConfig};

use super::figure::{Axis, Bound, Claim, Figure, Panel};
use super::learning::{CURVATURE, limit};
use super::noisy::{FEATURES, STATES};
use super::problem::{contradictory, rescaled, rescaled_by_powers_of_two};
use super::statistics::{least, median, most, over_seeds, summary};
use super::{Experiment, Size};
use crate::reference::Row;
use crate::reference::closed_form::least_squares;

/// Updates; with momentum even the worst of these systems is then at its limit.
const UPDATES: u32 = 3_000;
/// Factors are 10^u with u in ± these.
const DECADES: [u32; 4] = [0, 1, 2, 3];

const RULE: StoredConfig = StoredConfig { beta: 0.5, ..CURVATURE };

type Solve = fn(&[Row]) -> DVector<f64>;
const SOLVERS: [(&str, Solve); 4] = [
    ("least squares", least_squares),
    ("q28", |rows| limit::<Q28, FEATURES, STATES>(RULE, rows, UPDATES)),
    ("f32", |rows| limit::<f32, FEATURES, STATES>(RULE, rows, UPDATES)),
    ("f64", |rows| limit::<f64, FEATURES, STATES>(RULE, rows, UPDATES)),
];

/// What one system shows: by solver the shift for each range of factors, and for powers of two.
type Shifts = Vec<(Vec<f64>, f64)>;

/// How far the limit moves when equations are rescaled.
pub(super) fn figure(size: Size) -> Experiment {
    let work = |seed| -> Shifts {
        let rows = contradictory(seed, STATES, FEATURES);
        let shifts = |(_, solve): (&str, Solve)| {
            let before = solve(&rows);
            let shift = |rows: Vec<Row>| (solve(&rows) - &before).norm();
            let by_decades = DECADES.map(|decades| shift(rescaled(&rows, seed + 1_000, decades.into())));
            (by_decades.into(), shift(rescaled_by_powers_of_two(&rows, seed + 1_000, 3.0)))
        };
        SOLVERS.map(shifts).into()
    };
    Experiment::new(size.all_seeds(), work, move |runs| {
        let of = |solver: usize| -> Vec<Vec<f64>> { runs.iter().map(|run| run[solver].0.clone()).collect() };
        let last = |solver| -> Vec<f64> { of(solver).iter().map(|shifts| shifts[DECADES.len() - 1]).collect() };
        let by_two = |solver: usize| -> Vec<f64> { runs.iter().map(|run| run[solver].1).collect() };
        let names = SOLVERS.map(|(name, _)| name);
        let mut results = Vec::new();
        for (solver, name) in names.into_iter().enumerate() {
            results.push(summary("shift of w with factors 10^[-3, 3]", name, &last(solver)));
            if solver > 0 {
                results.push(summary("shift of w with powers of two in the same range", name, &by_two(solver)));
            }
        }
        let lines = (0..SOLVERS.len()).map(|solver| {
            let mut line = over_seeds(
                names[solver],
                &DECADES[1..],
                &of(solver).iter().map(|s| s[1..].to_vec()).collect::<Vec<_>>(),
                median,
            );
            line.band.clear();
            line
        });
        Figure {
            id: "scale",
            title: "Equations in any units".into(),
            caption: format!(
                "{STATES} equations of {FEATURES} features that contradict each other, features and targets uniform in [−1, 1]; each equation is \
                 multiplied by its own factor between 10^−s and 10^s, which changes no equation. How far the solution moves, ‖Δw‖, median \
                 of {} seeds. Powers of two change not a single bit in any arithmetic; other factors only the rounding of the rows.",
                size.seeds
            ),
            rules: names.map(Into::into).into(),
            seeds: size.all_seeds(),
            panels: vec![Panel {
                title: "equations times 10^[−s, s]".into(),
                x: Axis::linear("s, decades up and down"),
                y: Axis::log("shift of the solution ‖Δw‖"),
                lines: lines.collect(),
            }],
            results,
            claims: vec![
                Claim::new("shift of w*, f64, worst seed", most(&last(3)), Bound::AtMost, 1e-10),
                Claim::new(
                    "shift by powers of two, worst seed of all arithmetics",
                    most(&[1, 2, 3].map(|solver| most(&by_two(solver)))),
                    Bound::AtMost,
                    0.0,
                ),
                Claim::new(
                    "shift of the least-squares solution, smallest of all seeds",
                    least(&last(0)),
                    Bound::Above,
                    1.0,
                ),
            ],
        }
    })
}
