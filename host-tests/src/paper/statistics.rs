//! Medians and ranges over seeds.

use super::figure::{Line, Summary};

/// The median; the mean of the middle two if there is an even number.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match (sorted.len(), sorted.len() / 2) {
        (0, _) => f64::NAN,
        (count, middle) if count % 2 == 1 => sorted[middle],
        (_, middle) => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

/// The arithmetic mean.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

pub(super) fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

pub(super) fn most(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Median and range of a quantity.
pub(super) fn summary(quantity: &str, rule: impl Into<String>, values: &[f64]) -> Summary {
    Summary {
        quantity: quantity.into(),
        rule: rule.into(),
        median: median(values),
        least: least(values),
        most: most(values),
    }
}

/// One point per x from a curve per seed: the middle of them by `centre`, and their range as a band.
pub(super) fn over_seeds(name: impl Into<String>, xs: &[u32], curves: &[Vec<f64>], centre: fn(&[f64]) -> f64) -> Line {
    let mut line = Line { name: name.into(), points: Vec::new(), band: Vec::new(), ink: None };
    for (i, x) in xs.iter().enumerate() {
        let values: Vec<f64> = curves.iter().map(|curve| curve[i]).collect();
        line.points.push((f64::from(*x), centre(&values)));
        line.band.push((f64::from(*x), least(&values), most(&values)));
    }
    line
}

/// About `per_decade` numbers in each factor of ten, from 1 to `last`, which is one of them.
pub(super) fn log_spaced(last: u32, per_decade: u32) -> Vec<u32> {
    let mut counts: Vec<u32> = (0..)
        .map(|i| libm::round(libm::pow(10.0, f64::from(i) / f64::from(per_decade))) as u32)
        .take_while(|count| *count < last)
        .collect();
    counts.push(last);
    counts.dedup();
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_means_and_ranges() {
        assert_eq!((median(&[3.0, 1.0, 2.0]), median(&[4.0, 1.0, 2.0, 3.0]), mean(&[1.0, 3.0])), (2.0, 2.5, 2.0));
        let line = over_seeds("", &[1, 10], &[vec![1.0, 5.0], vec![3.0, 4.0], vec![8.0, 6.0]], median);
        assert_eq!((line.points, line.band), (vec![(1.0, 3.0), (10.0, 5.0)], vec![(1.0, 1.0, 8.0), (10.0, 4.0, 6.0)]));
        assert_eq!(log_spaced(1_000, 2), [1, 3, 10, 32, 100, 316, 1_000]);
    }
}
