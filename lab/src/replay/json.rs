//! Results as a JSON object.

use osculate::{TrackingReport, Update, Verdict};
use serde::Serialize;

use super::format::Report;
use super::prequential::Prequential;
use super::{Job, columns};

/// The object that `cargo xtask replay --json` writes.
///
/// Decimals are exact: parsed as `f64`, they give the very number that the format holds. Values that are not finite are
/// `null`.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    updates: Vec<Entry>,
    weights: Vec<f64>,
    weights_bits: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    averaged: Option<Vec<f64>>,
    prequential: Prequential,
    warnings: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Entry {
    Update { k: u32, tau: u32, dropped: u32, saturated: u32, verdict: &'static str, theta: f64, g_norm: f64 },
    Tracking { all_rows: u32, rows: u32, dropped: u32, saturated: u32, changes: u32, gain: f64, error: f64 },
}

impl From<&Report> for Entry {
    fn from(report: &Report) -> Self {
        match *report {
            Report::Update(Update { k, tau, dropped, saturated, g_norm, theta, verdict: why }) => {
                let (theta, g_norm, verdict) = (theta.into(), g_norm.into(), verdict(why));
                Self::Update { k, tau, dropped, saturated, verdict, theta, g_norm }
            }
            Report::Tracking(TrackingReport { rows, all_rows, dropped, saturated, error, gain, changes }) => {
                let (gain, error) = (gain.into(), error.into());
                Self::Tracking { all_rows, rows, dropped, saturated, changes, gain, error }
            }
        }
    }
}

impl Results {
    /// From all reports, the bits of the weights and of the best estimate after the last one, and the prediction errors.
    /// Only rules that are meant to be averaged report an average.
    pub fn new(job: &Job<'_>, reports: &[Report], weights: &[u64], estimate: &[u64], prequential: Prequential) -> Self {
        let arith = job.arith;
        let decimals = |bits: &[u64]| bits.iter().map(|bits| arith.weight(*bits)).collect();
        Self {
            updates: reports.iter().map(Entry::from).collect(),
            weights: decimals(weights),
            weights_bits: weights.iter().map(|bits| format!("{bits:0width$x}", width = 2 * arith.bytes())).collect(),
            averaged: job.config.rule.reports_average().then(|| decimals(estimate)),
            prequential,
            warnings: columns::warnings(job.trace),
        }
    }

    /// As text, on one line.
    ///
    /// # Errors
    /// Never in practice: these types always serialise.
    pub fn to_text(&self) -> serde_json::Result<String> {
        serde_json::to_string(self).map(|text| text + "\n")
    }
}

/// A verdict's name.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Stepped => "stepped",
        Verdict::Skipped => "skipped",
        Verdict::Empty => "empty",
        Verdict::Overflow => "overflow",
        _ => "unknown",
    }
}
