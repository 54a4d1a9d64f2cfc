//! Rows with noisy targets V = φ·w* + noise, whose w* or noise may change.

use std::sync::Arc;

use osculate_host_tests::worlds::Dice;

use super::markov::CHECKPOINTS;
use super::{Data, Measure, gaussian, normal};
use crate::contender::{Step, product};

/// Rows per run. Errors count from a quarter of them on.
pub(crate) const ROWS: usize = 40_000;
/// Rows per episode, where there are episodes.
const BATCH: usize = 20;

/// How a world behaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Case {
    /// Nothing changes.
    Stationary,
    /// A random walk: w* ← √(1 − q²) w* + q·N(0, 1) at every row.
    Walk(f64),
    /// A new w* every [`PERIOD`] rows.
    Jumps,
    /// The covariance of the rows has the condition number 30, along random axes.
    Condition30,
    /// The noise has standard deviation 1 and 4 in turns of [`PERIOD`] rows.
    NoiseLevel,
    /// Student noise with 3 degrees of freedom, of the usual variance.
    Student,
}

/// All cases and their names.
pub(crate) const CASES: [(Case, &str); 8] = [
    (Case::Stationary, "stationary"),
    (Case::Walk(0.001), "q = .001"),
    (Case::Walk(0.003), "q = .003"),
    (Case::Walk(0.01), "q = .01"),
    (Case::Jumps, "jumps"),
    (Case::Condition30, "cond. 30"),
    (Case::NoiseLevel, "noise x 4"),
    (Case::Student, "Student"),
];

/// Rows between two abrupt changes.
const PERIOD: usize = 5_000;
/// The usual standard deviation of the noise.
const NOISE: f64 = 0.5;

/// A row, and the truth about it.
pub(crate) struct Sample {
    pub(crate) phi: Arc<[f32]>,
    pub(crate) target: f32,
    /// φ·w*, the mean of the target.
    pub(crate) mean: f64,
    /// The present variance of the noise.
    pub(crate) variance: f64,
    /// Whether errors count here.
    pub(crate) counts: bool,
}

/// w*, and how it changes.
#[derive(Clone, Debug)]
pub(super) struct Truth {
    case: Case,
    pub(super) w: Vec<f64>,
    row: usize,
}

impl Truth {
    /// n standard normal weights.
    pub(super) fn new(case: Case, dice: &mut Dice, n: usize) -> Self {
        Self { case, w: normal(dice, n), row: 0 }
    }

    /// Goes on to the next row.
    pub(super) fn advance(&mut self, dice: &mut Dice) {
        match self.case {
            Case::Walk(q) => {
                for w in &mut self.w {
                    *w = (1.0 - q * q).sqrt() * *w + q * gaussian(dice);
                }
            }
            Case::Jumps if self.row > 0 && self.row.is_multiple_of(PERIOD) => self.w = normal(dice, self.w.len()),
            _ => (),
        }
        self.row += 1;
    }
}

/// [`ROWS`] rows.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    dice: Dice,
    truth: Truth,
    /// Orthonormal.
    axes: Vec<Vec<f64>>,
}

impl Rows {
    /// n features and weights, all standard normal.
    pub(crate) fn new(case: Case, n: usize, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let truth = Truth::new(case, &mut dice, n);
        let axes = if case == Case::Condition30 { orthonormal(&mut dice, n) } else { Vec::new() };
        Self { dice, truth, axes }
    }

    fn features(&mut self) -> Arc<[f32]> {
        let mut phi = normal(&mut self.dice, self.truth.w.len());
        if !self.axes.is_empty() {
            let along = std::mem::replace(&mut phi, vec![0.0; self.truth.w.len()]);
            let last = (self.axes.len() - 1).max(1) as f64;
            for (k, (axis, x)) in self.axes.iter().zip(along).enumerate() {
                // Variances from 1 to 1/30 in geometric steps.
                let deviation = 30_f64.powf(-0.5 * k as f64 / last);
                phi.iter_mut().zip(axis).for_each(|(phi, a)| *phi += deviation * x * a);
            }
        }
        phi.iter().map(|&x| x as f32).collect()
    }

    /// The noise, and its variance.
    fn noise(&mut self, row: usize) -> (f64, f64) {
        let standard = gaussian(&mut self.dice);
        match self.truth.case {
            Case::NoiseLevel => {
                let level = if (row / PERIOD).is_multiple_of(2) { 1.0 } else { 4.0 };
                (level * standard, level * level)
            }
            Case::Student => {
                let squares: f64 = (0..3).map(|_| gaussian(&mut self.dice).powi(2)).sum();
                // Of variance 3 before it is scaled.
                (NOISE * standard / (squares / 3.0).sqrt() / 3_f64.sqrt(), NOISE * NOISE)
            }
            _ => (NOISE * standard, NOISE * NOISE),
        }
    }
}

impl Iterator for Rows {
    type Item = Sample;

    fn next(&mut self) -> Option<Sample> {
        let row = self.truth.row;
        if row == ROWS {
            return None;
        }
        self.truth.advance(&mut self.dice);
        let phi = self.features();
        let (noise, variance) = self.noise(row);
        let mean = product(&phi, &self.truth.w);
        Some(Sample { phi, target: (mean + noise) as f32, mean, variance, counts: row >= ROWS / 4 })
    }
}

/// 20 rows to an episode, predicted before they are learned.
pub(super) fn batches(case: Case, n: usize, seed: u64) -> Data {
    let (mut rows, mut data) = (Rows::new(case, n, seed), Data::new(Measure::Relative));
    for k in 1..=CHECKPOINTS[2] {
        let samples: Vec<Sample> = rows.by_ref().take(BATCH).collect();
        let steps: Vec<Step> = samples.iter().map(|sample| Step::row(sample.phi.clone(), sample.target)).collect();
        samples.into_iter().for_each(|sample| data.predict(sample.phi, sample.mean, 1.0));
        data.episode(steps);
        if CHECKPOINTS.contains(&k) {
            data.checkpoint();
        }
    }
    data
}

/// All rows one by one; errors are in units of the noise's variance.
pub(super) fn stream(case: Case, n: usize, seed: u64) -> Data {
    let mut data = Data::new(Measure::Mean);
    for (row, sample) in Rows::new(case, n, seed).enumerate() {
        if sample.counts {
            data.predict(sample.phi.clone(), sample.mean, 1.0 / sample.variance);
        }
        data.step(Step::row(sample.phi, sample.target), row + 1 == ROWS);
    }
    data.checkpoint();
    data
}

/// Random axes, by Gram and Schmidt.
fn orthonormal(dice: &mut Dice, n: usize) -> Vec<Vec<f64>> {
    let mut axes: Vec<Vec<f64>> = Vec::new();
    while axes.len() < n {
        let mut axis = normal(dice, n);
        for other in &axes {
            let along: f64 = axis.iter().zip(other).map(|(a, b)| a * b).sum();
            axis.iter_mut().zip(other).for_each(|(a, b)| *a -= along * b);
        }
        let length = axis.iter().map(|a| a * a).sum::<f64>().sqrt();
        axes.push(axis.iter().map(|a| a / length).collect());
    }
    axes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_the_variance_that_it_claims() {
        for (case, name) in CASES {
            let rows: Vec<Sample> = Rows::new(case, 4, 3).collect();
            let squares = rows.iter().map(|row| (f64::from(row.target) - row.mean).powi(2) / row.variance);
            let mean = squares.sum::<f64>() / rows.len() as f64;
            // Student's fourth moment is infinite: its sample variance settles slowly.
            let within = if case == Case::Student { 0.25 } else { 0.04 };
            assert!((mean - 1.0).abs() < within, "{name}: {mean}");
        }
    }

    #[test]
    fn variances_along_the_axes_differ_by_30() {
        let world = Rows::new(Case::Condition30, 4, 1);
        let axes = world.axes.clone();
        let mut variances = [0.0; 4];
        for row in world {
            for (variance, axis) in variances.iter_mut().zip(&axes) {
                let along = product(&row.phi, axis);
                *variance += along * along / ROWS as f64;
            }
        }
        assert!((variances[0] - 1.0).abs() < 0.05 && (variances[3] * 30.0 - 1.0).abs() < 0.05, "{variances:?}");
    }

    #[test]
    fn only_the_cases_that_change_change() {
        for (case, name) in CASES {
            let mut world = Rows::new(case, 3, 5);
            let before = world.truth.w.clone();
            for row in 1..=PERIOD + 1 {
                world.next();
                let changed = world.truth.w != before;
                let expected = match case {
                    Case::Walk(_) => true,
                    Case::Jumps => row > PERIOD,
                    _ => false,
                };
                assert_eq!(changed, expected, "{name}, row {row}");
            }
        }
    }
}
