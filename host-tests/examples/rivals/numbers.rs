//! The numbers for the pictures, and for whoever wants them.

use osculate_host_tests::rivals::{CHECKPOINTS, Line, Report, TUNING_SEEDS};
use serde_json::{Value, json};

/// Everything. What has diverged is null.
pub(crate) fn all(tables: &[Report], spreads: &[Report]) -> Value {
    let equations = tables.iter().filter(|report| report.problem.name == "steady rows, equations in any units");
    json!({
        "episodes": CHECKPOINTS,
        "tuning_seeds": TUNING_SEEDS.collect::<Vec<_>>(),
        "problems": tables.iter().map(problem).collect::<Vec<_>>(),
        // Equations times 10^x, |x| up to 0, 1, 2, 3.
        "spreads": spreads.iter().chain(equations).map(problem).collect::<Vec<_>>(),
    })
}

fn problem(report: &Report) -> Value {
    json!({
        "problem": report.problem.name,
        "about": report.problem.about,
        "n": report.problem.n,
        "gamma": report.problem.gamma,
        "seeds": (0..report.seeds).collect::<Vec<_>>(),
        "floor": report.floor,
        "steps_per_episode": report.lengths.steps,
        "rows_per_episode": report.lengths.rows,
        "longest_episode": report.lengths.longest,
        "rules": report.lines.iter().map(line).collect::<Vec<_>>(),
    })
}

fn line(line: &Line) -> Value {
    let setting: serde_json::Map<String, Value> =
        line.setting.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    json!({
        "rule": line.name,
        "ours": line.ours,
        "setting": setting,
        "errors": line.errors,
        "by_seed": line.last,
        "quartiles": [line.quartiles.0, line.quartiles.1],
        "macs_per_row": line.cost.macs,
        "words": line.cost.words,
        "formula": line.formula,
        "curve": line.curve.iter().map(|(setting, error)| json!([setting, error])).collect::<Vec<_>>(),
    })
}
