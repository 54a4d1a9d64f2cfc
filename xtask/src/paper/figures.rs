//! The figures as the experiments write them, and what is kept of them in the summary.

use serde::Deserialize;
use serde_json::{Value, json};

/// One figure.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Figure {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) caption: String,
    pub(super) rules: Vec<String>,
    pub(super) seeds: Vec<u64>,
    pub(super) panels: Vec<Panel>,
    pub(super) results: Vec<Value>,
    pub(super) claims: Vec<Claim>,
}

/// A chart.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) x: AxisOf,
    pub(super) y: AxisOf,
    pub(super) lines: Vec<Line>,
}

/// An axis by its label.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct AxisOf {
    pub(super) label: String,
    pub(super) log: bool,
}

/// A line with the range of the seeds.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
    pub(super) band: Vec<(f64, f64, f64)>,
    pub(super) ink: Option<usize>,
}

/// What a figure must show.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Claim {
    pub(super) what: String,
    pub(super) must: String,
    pub(super) limit: f64,
    /// `None` if it was not a finite number.
    pub(super) measured: Option<f64>,
    pub(super) met: bool,
    pub(super) required: bool,
    /// The bound, the measured number, and whether it is as it must be.
    pub(super) cells: [String; 3],
}

/// Everything about the figures but their lines.
pub(super) fn summary(figures: &[Figure]) -> Value {
    let claim = |claim: &Claim| {
        json!({
            "what": claim.what, "must": claim.must, "limit": claim.limit, "measured": claim.measured,
            "met": claim.met, "required": claim.required,
        })
    };
    let entry = |figure: &Figure| {
        json!({
            "id": figure.id, "title": figure.title, "rules": figure.rules, "seeds": figure.seeds,
            "results": figure.results, "must_show": figure.claims.iter().map(claim).collect::<Vec<_>>(),
        })
    };
    figures.iter().map(entry).collect()
}
