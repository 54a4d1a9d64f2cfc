//! Results as a JSON object.

use osculate::{TrackingReport, Update, Verdict};
use serde_json::{Value, json};

use super::format::Report;
use super::prequential::Prequential;
use super::{Job, Learned, columns};

/// The object that `cargo xtask replay --json` writes, on one line: from all reports, what was learned
/// last, and the prediction errors. Only rules that are meant to be averaged report an average.
///
/// Decimals are exact: parsed as `f64`, they give the very number that the format holds. Values that are not finite are
/// `null`.
pub fn results(job: &Job<'_>, reports: &[Report], last: &Learned, prequential: &Prequential) -> String {
    let arith = job.arith;
    let decimals = |bits: &[u64]| bits.iter().map(|bits| arith.weight(*bits)).collect::<Vec<_>>();
    let hexadecimals = last.weights.iter().map(|bits| format!("{bits:0width$x}", width = 2 * arith.bytes()));
    let Prequential { rows, mse, variance, .. } = prequential;
    let mut results = json!({
        "updates": reports.iter().map(entry).collect::<Vec<_>>(),
        "weights": decimals(&last.weights),
        "weights_bits": hexadecimals.collect::<Vec<_>>(),
        "prequential": { "rows": rows, "mse": mse, "variance": variance },
        "warnings": columns::warnings(job.trace),
    });
    if job.config.rule.reports_average() {
        results["averaged"] = json!(decimals(&last.estimate));
    }
    format!("{results}\n")
}

fn entry(report: &Report) -> Value {
    match *report {
        Report::Update(Update { k, tau, dropped, saturated, g_norm, theta, verdict: why }) => json!({
            "k": k, "tau": tau, "dropped": dropped, "saturated": saturated, "verdict": verdict(why),
            "theta": f64::from(theta), "g_norm": f64::from(g_norm),
        }),
        Report::Tracking(TrackingReport { rows, all_rows, dropped, saturated, error, gain, changes }) => json!({
            "all_rows": all_rows, "rows": rows, "dropped": dropped, "saturated": saturated, "changes": changes,
            "gain": f64::from(gain), "error": f64::from(error),
        }),
    }
}

/// A verdict's name.
pub fn verdict(verdict: Verdict) -> String {
    format!("{verdict:?}").to_lowercase()
}
