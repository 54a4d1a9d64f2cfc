//! Rows with noisy targets V = φ·w* + noise, whose w* or noise may change.

use super::ROWS;
use crate::worlds::{Dice, gaussian};

/// How the world of a [`Problem`] behaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Case {
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
pub const CASES: [(Case, &str); 8] = [
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

/// One row.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// φ.
    pub phi: Vec<f32>,
    /// V.
    pub target: f32,
    /// φ·w*, the mean of V.
    pub mean: f64,
    /// The present variance of the noise.
    pub variance: f64,
    /// Whether errors count here.
    pub counts: bool,
}

/// [`ROWS`] rows.
#[derive(Clone, Debug)]
pub struct Problem {
    case: Case,
    dice: Dice,
    truth: Vec<f64>,
    /// Orthonormal.
    axes: Vec<Vec<f64>>,
    row: usize,
}

impl Problem {
    /// n features and weights, all standard normal.
    pub fn new(case: Case, n: usize, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let truth = normal(&mut dice, n);
        let axes = if case == Case::Condition30 { orthonormal(&mut dice, n) } else { Vec::new() };
        Self { case, dice, truth, axes, row: 0 }
    }

    fn change(&mut self) {
        let turn = self.row > 0 && self.row.is_multiple_of(PERIOD);
        match self.case {
            Case::Walk(q) => {
                for w in &mut self.truth {
                    *w = (1.0 - q * q).sqrt() * *w + q * gaussian(&mut self.dice);
                }
            }
            Case::Jumps if turn => self.truth = normal(&mut self.dice, self.truth.len()),
            _ => (),
        }
    }

    fn features(&mut self) -> Vec<f32> {
        let mut phi = normal(&mut self.dice, self.truth.len());
        if !self.axes.is_empty() {
            let along = std::mem::replace(&mut phi, vec![0.0; self.truth.len()]);
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
    fn noise(&mut self) -> (f64, f64) {
        let standard = gaussian(&mut self.dice);
        match self.case {
            Case::NoiseLevel => {
                let level = if (self.row / PERIOD).is_multiple_of(2) { 1.0 } else { 4.0 };
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

impl Iterator for Problem {
    type Item = Sample;

    fn next(&mut self) -> Option<Sample> {
        if self.row == ROWS {
            return None;
        }
        self.change();
        let phi = self.features();
        let (noise, variance) = self.noise();
        let mean: f64 = phi.iter().zip(&self.truth).map(|(&x, w)| f64::from(x) * w).sum();
        let counts = self.row >= ROWS / 4;
        self.row += 1;
        Some(Sample { phi, target: (mean + noise) as f32, mean, variance, counts })
    }
}

/// Independent standard normal numbers.
pub(super) fn normal(dice: &mut Dice, n: usize) -> Vec<f64> {
    (0..n).map(|_| gaussian(dice)).collect()
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
            let rows: Vec<Sample> = Problem::new(case, 4, 3).collect();
            let squares = rows.iter().map(|row| (f64::from(row.target) - row.mean).powi(2) / row.variance);
            let mean = squares.sum::<f64>() / rows.len() as f64;
            // Student's fourth moment is infinite: its sample variance settles slowly.
            let within = if case == Case::Student { 0.25 } else { 0.04 };
            assert!((mean - 1.0).abs() < within, "{name}: {mean}");
        }
    }

    #[test]
    fn variances_along_the_axes_differ_by_30() {
        let problem = Problem::new(Case::Condition30, 4, 1);
        let axes = problem.axes.clone();
        let mut variances = [0.0; 4];
        for row in problem {
            for (variance, axis) in variances.iter_mut().zip(&axes) {
                let along: f64 = row.phi.iter().zip(axis).map(|(&x, a)| f64::from(x) * a).sum();
                *variance += along * along / ROWS as f64;
            }
        }
        assert!((variances[0] - 1.0).abs() < 0.05 && (variances[3] * 30.0 - 1.0).abs() < 0.05, "{variances:?}");
    }

    #[test]
    fn only_the_cases_that_change_change() {
        for (case, name) in CASES {
            let mut problem = Problem::new(case, 3, 5);
            let before = problem.truth.clone();
            for row in 1..=PERIOD + 1 {
                problem.next();
                let changed = problem.truth != before;
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
