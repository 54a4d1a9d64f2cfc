//! The content of a figure: its lines, its numbers, and what it must show.

use osculate_lab::numbers::short;
use serde::Serialize;

/// One figure with everything that is known about it.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// A short name, also of its file.
    pub id: &'static str,
    /// Its heading.
    pub title: String,
    /// What was done and what is to be seen.
    pub caption: String,
    /// The rules that are compared.
    pub rules: Vec<String>,
    /// The seeds of its worlds; empty where nothing is drawn by lot.
    pub seeds: Vec<u64>,
    /// Its charts, from top to bottom.
    pub panels: Vec<Panel>,
    /// Its numbers.
    pub results: Vec<Summary>,
    /// What it must show, and whether it does.
    pub claims: Vec<Claim>,
}

/// A chart.
#[derive(Clone, Debug, Serialize)]
pub struct Panel {
    /// Its heading.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn.
    pub lines: Vec<Line>,
}

/// An axis.
#[derive(Clone, Debug, Serialize)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// Whether it is logarithmic.
    pub log: bool,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: &str) -> Self {
        Self { label: label.into(), log: false }
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Self {
        Self { label: label.into(), log: true }
    }
}

/// A line of a chart.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// Points in order of x.
    pub points: Vec<(f64, f64)>,
    /// The least and the most of all seeds at each x, if there are several.
    pub band: Vec<(f64, f64, f64)>,
    /// Which colour it has, if not its own. Lines of one colour are dashed differently.
    pub ink: Option<usize>,
}

impl Line {
    /// A line without a band.
    pub fn plain(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, band: Vec::new(), ink: None }
    }

    /// With the n-th colour.
    #[must_use]
    pub fn ink(self, ink: usize) -> Self {
        Self { ink: Some(ink), ..self }
    }
}

/// A quantity over all seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// What was measured.
    pub quantity: String,
    /// The rule, with its arithmetic where it is one.
    pub rule: String,
    /// The median, or the value itself if there is only one.
    pub median: f64,
    /// The least of all seeds.
    pub least: f64,
    /// The most of all seeds.
    pub most: f64,
}

/// Something that a figure must show.
#[derive(Clone, Debug, Serialize)]
pub struct Claim {
    /// The measured quantity.
    pub what: String,
    /// How it must compare with the limit.
    pub must: Bound,
    /// The limit.
    pub limit: f64,
    /// What was measured.
    pub measured: f64,
    /// Whether it is as it must be.
    pub met: bool,
    /// Whether it is an error if it is not. Some of the paper's remarks are only reported.
    pub required: bool,
    /// For a table: the bound, the measured number, and whether it is as it must be.
    pub cells: [String; 3],
}

/// How a number must compare with its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Not larger.
    AtMost,
    /// Not smaller.
    AtLeast,
    /// Larger.
    Above,
}

impl Claim {
    /// Judges a measured number; one that is not a number never is as it must be.
    pub fn new(what: impl Into<String>, measured: f64, must: Bound, limit: f64) -> Self {
        Self::judged(what.into(), measured, must, limit, true)
    }

    /// One of the paper's remarks: reported, but no error where it does not hold.
    pub fn remark(what: impl Into<String>, measured: f64, must: Bound, limit: f64) -> Self {
        Self::judged(what.into(), measured, must, limit, false)
    }

    fn judged(what: String, measured: f64, must: Bound, limit: f64, required: bool) -> Self {
        let (met, sign) = match must {
            Bound::AtMost => (measured <= limit, '≤'),
            Bound::AtLeast => (measured >= limit, '≥'),
            Bound::Above => (measured > limit, '>'),
        };
        let verdict = match (met, required) {
            (true, _) => "yes",
            (false, true) => "NO",
            (false, false) => "no (remark)",
        };
        let cells = [format!("{sign} {}", short(limit)), short(measured), verdict.into()];
        Self { what, must, limit, measured, met, required, cells }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_can_fail() {
        let met = |measured, must| Claim::new("", measured, must, 1.0).met;
        assert!(met(1.0, Bound::AtMost) && met(1.0, Bound::AtLeast) && met(1.5, Bound::Above));
        assert!(!met(1.5, Bound::AtMost) && !met(0.5, Bound::AtLeast) && !met(1.0, Bound::Above));
        assert!([Bound::AtMost, Bound::AtLeast, Bound::Above].into_iter().all(|must| !met(f64::NAN, must)));
        assert_eq!(Claim::new("", 80.0, Bound::AtMost, 70.0).cells, ["≤ 70", "80", "NO"]);
        assert_eq!(Claim::remark("", 0.5, Bound::AtLeast, 1.0).cells[2], "no (remark)");
    }
}
