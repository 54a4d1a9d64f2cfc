//! Results as a JSON object.

use osculate::Verdict;
use serde::Serialize;

use super::format::Update;
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
struct Entry {
    k: u32,
    tau: u32,
    dropped: u32,
    saturated: u32,
    verdict: &'static str,
    theta: f64,
    g_norm: f64,
}

impl Results {
    /// From all updates, the bits of the weights and of their average after the last one, and the prediction errors.
    /// Only rules that are meant to be averaged report an average.
    pub fn new(job: &Job<'_>, updates: &[Update], weights: &[u64], averaged: &[u64], prequential: Prequential) -> Self {
        let arith = job.arith;
        let decimals = |bits: &[u64]| bits.iter().map(|bits| arith.weight(*bits)).collect();
        let entry = |update: &Update| Entry {
            k: update.k,
            tau: update.tau,
            dropped: update.dropped,
            saturated: update.saturated,
            verdict: verdict(update.verdict),
            theta: update.theta.into(),
            g_norm: update.g_norm.into(),
        };
        Self {
            updates: updates.iter().map(entry).collect(),
            weights: decimals(weights),
            weights_bits: weights.iter().map(|bits| format!("{bits:0width$x}", width = 2 * arith.bytes())).collect(),
            averaged: job.config.rule.reports_average().then(|| decimals(averaged)),
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
