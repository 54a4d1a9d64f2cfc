//! A figure: its lines, its numbers, and what it must show.

use osculate_lab::drawing::{Axis, Line, Panel};
use osculate_lab::numbers::{least, median, most, short};
use serde::Serialize;

use crate::jobs;

/// One figure with everything that is known about it.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// A short name, also of its file.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What was done and what is to be seen.
    #[serde(skip)]
    pub caption: String,
    /// The seeds of its worlds; empty where nothing is drawn by lot.
    pub seeds: Vec<u64>,
    /// Its charts, from top to bottom.
    #[serde(skip)]
    pub panels: Vec<Panel>,
    /// Its numbers.
    pub results: Vec<Summary>,
    /// What it must show, and whether it does.
    #[serde(rename = "must_show")]
    pub claims: Vec<Claim>,
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

impl Summary {
    /// Median and range of a quantity.
    pub(super) fn new(quantity: &str, rule: impl Into<String>, values: &[f64]) -> Self {
        let (quantity, rule) = (quantity.into(), rule.into());
        Self { quantity, rule, median: median(values), least: least(values), most: most(values) }
    }
}

/// Something that a figure must show.
#[derive(Clone, Debug, Serialize)]
pub struct Claim {
    /// The measured quantity.
    pub what: String,
    /// The bound.
    pub must: String,
    /// What was measured.
    pub measured: f64,
    /// Whether it is as it must be; never if it is not a number.
    pub met: bool,
    /// Whether it is an error if it is not. Some of the paper's remarks are only reported.
    pub required: bool,
}

impl Claim {
    /// Must not be larger.
    pub(super) fn at_most(what: impl Into<String>, measured: f64, limit: f64) -> Self {
        Self::judged(what.into(), measured, format!("≤ {}", short(limit)), measured <= limit)
    }

    /// Must not be smaller.
    pub(super) fn at_least(what: impl Into<String>, measured: f64, limit: f64) -> Self {
        Self::judged(what.into(), measured, format!("≥ {}", short(limit)), measured >= limit)
    }

    /// Must be larger than 1.
    pub(super) fn above_one(what: impl Into<String>, measured: f64) -> Self {
        Self::judged(what.into(), measured, "> 1".into(), measured > 1.0)
    }

    fn judged(what: String, measured: f64, must: String, met: bool) -> Self {
        Self { what, must, measured, met, required: true }
    }

    /// One of the paper's remarks: reported, but no error where it does not hold.
    pub(super) fn remark(self) -> Self {
        Self { required: false, ..self }
    }

    /// For a table: the bound, the measured number, and whether it is as it must be.
    pub fn cells(&self) -> [String; 3] {
        let verdict = match (self.met, self.required) {
            (true, _) => "yes",
            (false, true) => "NO",
            (false, false) => "no (remark)",
        };
        [self.must.clone(), short(self.measured), verdict.into()]
    }
}

/// What one learner showed: a curve for each seed.
#[derive(Clone, Debug)]
pub(crate) struct Curves {
    pub(super) name: String,
    pub(super) by_seed: Vec<Vec<f64>>,
}

impl Curves {
    /// A number for each seed.
    pub(super) fn each(&self, number: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        self.by_seed.iter().map(|curve| number(curve)).collect()
    }

    /// Where they end.
    pub(super) fn last(&self) -> Vec<f64> {
        self.each(|curve| curve[curve.len() - 1])
    }

    /// The medians at each x, and the range as a band.
    pub(super) fn line(&self, xs: &[u32]) -> Line {
        let at = |i: usize| self.each(|curve| curve[i]);
        let points = xs.iter().enumerate().map(|(i, x)| (f64::from(*x), median(at(i)))).collect();
        let band = xs.iter().enumerate().map(|(i, x)| (f64::from(*x), least(&at(i)), most(&at(i)))).collect();
        Line { name: self.name.clone(), points, band, ink: None }
    }

    /// The same without the range.
    pub(super) fn thin(&self, xs: &[u32]) -> Line {
        Line { band: Vec::new(), ..self.line(xs) }
    }

    /// The same by another name.
    pub(super) fn named(&self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self.clone() }
    }

    /// Only at some of the numbers of updates, counted from 1.
    pub(super) fn at(&self, counts: &[u32]) -> Self {
        let at = |curve: &Vec<f64>| counts.iter().map(|count| curve[*count as usize - 1]).collect();
        Self { name: self.name.clone(), by_seed: self.by_seed.iter().map(at).collect() }
    }

    /// Median and range of where they end.
    pub(crate) fn ends(&self, quantity: &str) -> Summary {
        Summary::new(quantity, &self.name, &self.last())
    }
}

/// Runs the seeds 0, 1, 2, … on all cores; each gives a curve for each of the names.
pub(crate) fn by_seed<N: Into<String>>(
    what: &str,
    seeds: u64,
    names: impl IntoIterator<Item = N>,
    work: impl Fn(u64) -> Vec<Vec<f64>> + Sync,
) -> Vec<Curves> {
    let runs = jobs::all(what, &Vec::from_iter(0..seeds), |seed| work(*seed));
    let curves =
        |(i, name): (usize, N)| Curves { name: name.into(), by_seed: runs.iter().map(|run| run[i].clone()).collect() };
    names.into_iter().enumerate().map(curves).collect()
}

/// About `per_decade` numbers in each factor of ten, from 1 to `last`, which is one of them.
pub(super) fn log_spaced(last: u32, per_decade: u32) -> Vec<u32> {
    let at = |i: u32| libm::round(libm::pow(10.0, f64::from(i) / f64::from(per_decade))) as u32;
    let mut counts: Vec<u32> = (0..).map(at).take_while(|count| *count < last).collect();
    counts.push(last);
    counts.dedup();
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn lines_have_medians_and_ranges() {
        let curves = Curves { name: String::new(), by_seed: vec![vec![1.0, 5.0], vec![3.0, 4.0], vec![8.0, 6.0]] };
        let line = curves.line(&[1, 10]);
        assert_eq!((line.points, line.band), (vec![(1.0, 3.0), (10.0, 5.0)], vec![(1.0, 1.0, 8.0), (10.0, 4.0, 6.0)]));
        assert_eq!(curves.at(&[2]).last(), [5.0, 4.0, 6.0]);
        assert_eq!(log_spaced(1_000, 2), [1, 3, 10, 32, 100, 316, 1_000]);
    }
}
