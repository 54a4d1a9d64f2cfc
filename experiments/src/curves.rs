//! What contenders show over many seeds: curves, and what sums them up.

use std::ops::Range;

use osculate_lab::drawing::Line;
use osculate_lab::jobs;
use osculate_lab::numbers::{least, median, most};
use serde::Serialize;

/// What one contender showed with one seed: its name, and a number after each of some numbers of episodes.
pub(crate) type Run = (String, Vec<f64>);

/// What one contender showed: a curve for each seed.
#[derive(Clone)]
pub(crate) struct Curves {
    pub(crate) name: String,
    pub(crate) by_seed: Vec<Vec<f64>>,
}

impl Curves {
    /// A number for each seed.
    pub(crate) fn each(&self, number: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        self.by_seed.iter().map(|curve| number(curve)).collect()
    }

    /// Where they end.
    pub(crate) fn last(&self) -> Vec<f64> {
        self.each(|curve| curve[curve.len() - 1])
    }

    /// At each x what sums up the seeds.
    pub(crate) fn over<T>(&self, xs: &[u32], sum_up: impl Fn(f64, &[f64]) -> T) -> Vec<T> {
        xs.iter().enumerate().map(|(i, x)| sum_up(f64::from(*x), &self.each(|curve| curve[i]))).collect()
    }

    /// The medians at each x.
    pub(crate) fn thin(&self, xs: &[u32]) -> Line {
        Line::plain(&self.name, self.over(xs, |x, at| (x, median(at))))
    }

    /// The same with the range as a band.
    pub(crate) fn line(&self, xs: &[u32]) -> Line {
        Line { band: self.over(xs, |x, at| (x, least(at), most(at))), ..self.thin(xs) }
    }

    /// The same by another name.
    pub(crate) fn named(&self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self.clone() }
    }

    /// Only at some of the numbers of updates, counted from 1.
    pub(crate) fn at(&self, counts: &[u32]) -> Self {
        let at = |curve: &Vec<f64>| counts.iter().map(|count| curve[*count as usize - 1]).collect();
        Self { name: self.name.clone(), by_seed: self.by_seed.iter().map(at).collect() }
    }

    /// Median and range of a number of each seed.
    pub(crate) fn summary(&self, quantity: &str, number: impl Fn(&[f64]) -> f64) -> Summary {
        Summary::new(quantity, &self.name, &self.each(number))
    }

    /// Median and range of where they end.
    pub(crate) fn ends(&self, quantity: &str) -> Summary {
        Summary::new(quantity, &self.name, &self.last())
    }
}

/// Runs seeds on all cores; each gives a run of every contender.
pub(crate) fn by_seed(what: &str, seeds: Range<u64>, work: impl Fn(u64) -> Vec<Run> + Sync) -> Vec<Curves> {
    let all = jobs::counted(&format!("seeds of {what}"), &Vec::from_iter(seeds), |seed| work(*seed));
    let of = |i: usize| all.iter().map(|runs| runs[i].1.clone()).collect();
    all[0].iter().enumerate().map(|(i, (name, _))| Curves { name: name.clone(), by_seed: of(i) }).collect()
}

/// A quantity over all seeds.
#[derive(Clone, Serialize)]
pub(crate) struct Summary {
    pub(crate) quantity: String,
    /// The rule, with its arithmetic where it is one.
    pub(crate) rule: String,
    /// The median, or the value itself if there is only one.
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Summary {
    /// Median and range of a quantity.
    pub(crate) fn new(quantity: &str, rule: impl Into<String>, values: &[f64]) -> Self {
        let (quantity, rule) = (quantity.into(), rule.into());
        Self { quantity, rule, median: median(values), least: least(values), most: most(values) }
    }
}

/// About `per_decade` numbers in each factor of ten, from 1 to `last`, which is one of them.
pub(crate) fn log_spaced(last: u32, per_decade: u32) -> Vec<u32> {
    let at = |i: u32| libm::round(libm::pow(10.0, f64::from(i) / f64::from(per_decade))) as u32;
    let mut counts: Vec<u32> = (0..).map(at).take_while(|count| *count < last).collect();
    counts.push(last);
    counts.dedup();
    counts
}

#[test]
fn lines_have_medians_and_ranges() {
    let curves = Curves { name: String::new(), by_seed: vec![vec![1.0, 5.0], vec![3.0, 4.0], vec![8.0, 6.0]] };
    let line = curves.line(&[1, 10]);
    assert_eq!((line.points, line.band), (vec![(1.0, 3.0), (10.0, 5.0)], vec![(1.0, 1.0, 8.0), (10.0, 4.0, 6.0)]));
    assert_eq!(curves.at(&[2]).last(), [5.0, 4.0, 6.0]);
    assert_eq!(log_spaced(1_000, 2), [1, 3, 10, 32, 100, 316, 1_000]);
}
