//! How often the bands of a prediction hold.

use super::contestants::exact;
use super::{Case, Problem};
use crate::reference::plain_tracking::{Config, Tracking, dot};

/// Shares of the rows whose band of 95 % held, over all seeds.
#[derive(Clone, Copy, Debug)]
pub struct Coverage {
    /// The number of features.
    pub n: usize,
    /// The case.
    pub case: &'static str,
    /// The band for the next target.
    pub target: f64,
    /// The band for its mean.
    pub mean: f64,
}

/// Counts over the last ¾ of the rows of every seed.
pub fn coverage(n: usize, (case, name): (Case, &'static str), seeds: u64) -> Coverage {
    let (mut rows, mut target, mut mean) = (0.0, 0.0, 0.0);
    for seed in 0..seeds {
        let mut learner = Tracking::new(n, Config::ROWS);
        // s², the mean of e²/‖φ‖².
        let (mut spread, mut count) = (0.0, 0.0);
        for sample in Problem::new(case, n, seed) {
            let phi = exact(&sample.phi);
            let (square, value) = (dot(&phi, &phi), dot(&phi, &learner.w));
            let error = f64::from(sample.target) - value;
            if sample.counts {
                let variance = spread * square;
                let calmer = value - dot(&phi, &learner.average);
                let of_mean = variance * learner.gain() / (2.0 - learner.gain()) + calmer * calmer;
                rows += 1.0;
                target += f64::from(u8::from(error.abs() <= 1.96 * variance.sqrt()));
                mean += f64::from(u8::from((sample.mean - value).abs() <= 1.96 * of_mean.sqrt()));
            }
            count += 1.0;
            spread += (1.0_f64 / count).max(0.01) * (error * error / square - spread);
            learner.learn(&phi, sample.target.into());
        }
    }
    Coverage { n, case: name, target: target / rows, mean: mean / rows }
}
