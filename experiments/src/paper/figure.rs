//! A figure: its lines, its numbers, and what it must show.

use osculate_lab::drawing::{Axis, Line, Panel};
use osculate_lab::numbers::short;
use serde::Serialize;

use crate::curves::Summary;

/// One figure with everything that is known about it.
#[derive(Serialize)]
pub(crate) struct Figure {
    /// A short name, also of its file.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// What was done and what is to be seen.
    #[serde(skip)]
    pub(crate) caption: String,
    /// The seeds of its worlds; empty where nothing is drawn by lot.
    pub(crate) seeds: Vec<u64>,
    /// Its charts, from top to bottom.
    #[serde(skip)]
    pub(crate) panels: Vec<Panel>,
    pub(crate) results: Vec<Summary>,
    /// What it must show, and whether it does.
    #[serde(rename = "must_show")]
    pub(crate) claims: Vec<Claim>,
}

impl Figure {
    /// Without any chart so far, and without seeds.
    pub(super) fn new(id: &'static str, title: &'static str, caption: impl Into<String>) -> Self {
        let (panels, results, claims) = (Vec::new(), Vec::new(), Vec::new());
        Self { id, title, caption: caption.into(), seeds: Vec::new(), panels, results, claims }
    }

    /// With worlds of the seeds 0, 1, 2, …
    pub(super) fn seeds(self, count: u64) -> Self {
        Self { seeds: (0..count).collect(), ..self }
    }

    /// With another chart.
    pub(super) fn panel(mut self, title: impl Into<String>, x: Axis, y: Axis, lines: Vec<Line>) -> Self {
        self.panels.push(Panel::new(title, x, y, lines));
        self
    }

    /// With a chart of relative errors.
    pub(super) fn errors(self, title: impl Into<String>, x: Axis, lines: Vec<Line>) -> Self {
        self.panel(title, x, Axis::log("relative error"), lines)
    }

    /// With more numbers.
    pub(super) fn results(mut self, results: impl IntoIterator<Item = Summary>) -> Self {
        self.results.extend(results);
        self
    }

    /// With more of what it must show.
    pub(super) fn claims(mut self, claims: impl IntoIterator<Item = Claim>) -> Self {
        self.claims.extend(claims);
        self
    }
}

/// Something that a figure must show.
#[derive(Serialize)]
pub(crate) struct Claim {
    /// The measured quantity.
    pub(crate) what: String,
    /// The bound.
    pub(crate) must: String,
    pub(crate) measured: f64,
    /// Whether it is as it must be; never if it is not a number.
    pub(crate) met: bool,
    /// Whether it is an error if it is not. Some of the paper's remarks are only reported.
    pub(crate) required: bool,
}

impl Claim {
    /// Must not be larger.
    pub(super) fn at_most(what: impl Into<String>, measured: f64, limit: f64) -> Self {
        Self::judged(what, measured, format!("≤ {}", short(limit)), measured <= limit)
    }

    /// Must not be smaller.
    pub(super) fn at_least(what: impl Into<String>, measured: f64, limit: f64) -> Self {
        Self::judged(what, measured, format!("≥ {}", short(limit)), measured >= limit)
    }

    /// Must be larger than 1.
    pub(super) fn above_one(what: impl Into<String>, measured: f64) -> Self {
        Self::judged(what, measured, "> 1".into(), measured > 1.0)
    }

    fn judged(what: impl Into<String>, measured: f64, must: String, met: bool) -> Self {
        Self { what: what.into(), must, measured, met, required: true }
    }

    /// One of the paper's remarks: reported, but no error where it does not hold.
    pub(super) fn remark(self) -> Self {
        Self { required: false, ..self }
    }

    /// For a table: the bound, the measured number, and whether it is as it must be.
    pub(super) fn cells(&self) -> [String; 3] {
        let verdict = match (self.met, self.required) {
            (true, _) => "yes",
            (false, true) => "NO",
            (false, false) => "no (remark)",
        };
        [self.must.clone(), short(self.measured), verdict.into()]
    }
}

#[test]
fn claims_can_fail() {
    assert!(Claim::at_most("", 1.0, 1.0).met && Claim::at_least("", 1.0, 1.0).met && Claim::above_one("", 1.5).met);
    for measured in [1.5, f64::NAN] {
        assert!(!Claim::at_most("", measured, 1.0).met && !Claim::at_least("", 1.0 / measured, 1.0).met);
    }
    assert!(!Claim::above_one("", 1.0).met && !Claim::above_one("", f64::NAN).met);
    assert_eq!(Claim::at_most("", 80.0, 70.0).cells(), ["≤ 70", "80", "NO"]);
    assert_eq!(Claim::at_least("", 0.5, 1.0).remark().cells()[2], "no (remark)");
}
