//! Columns in different units: factors from 10⁻³ to 10³.

use super::table::medians;
use super::{Case, Problem};
use crate::drift::contestants::exact;
use crate::reference::plain_tracking::{Config, Tracking, dot};

/// Median excess errors in units of the noise's variance, for the stationary case with n features.
#[derive(Clone, Copy, Debug)]
pub struct Units {
    /// The number of features.
    pub n: usize,
    /// As if the factors were known: all columns alike.
    pub known: f64,
    /// With the columns as they are.
    pub unscaled: f64,
    /// With the online scaler.
    pub scaled: f64,
}

/// The exponents of the online scaler.
struct Scaler(Vec<i32>);

impl Scaler {
    /// Scales a row and, where an exponent grows, the learner's vectors.
    fn scale(&mut self, phi: &[f64], learner: &mut Tracking) -> Vec<f64> {
        for (column, (e, x)) in self.0.iter_mut().zip(phi).enumerate() {
            if x.abs() >= 2_f64.powi(*e) {
                let larger = x.abs().log2().floor() as i32 + 1;
                learner.rescale(column, 2_f64.powi(larger - *e));
                *e = larger;
            }
        }
        phi.iter().zip(&self.0).map(|(x, e)| x * 2_f64.powi(-e)).collect()
    }
}

/// Compares the three.
pub fn units(n: usize, seeds: u64) -> Units {
    let factor = |column: usize| 10_f64.powf(6.0 * column as f64 / (n - 1) as f64 - 3.0);
    let errors = medians((0..seeds).map(|seed| {
        let mut learners = [0; 3].map(|_| Tracking::new(n, Config::ROWS));
        let mut scaler = Scaler(vec![-100; n]);
        let (mut errors, mut rows) = (vec![0.0; 3], 0.0);
        for sample in Problem::new(Case::Stationary, n, seed) {
            let known = exact(&sample.phi);
            let unscaled: Vec<f64> = known.iter().enumerate().map(|(column, x)| x * factor(column)).collect();
            let scaled = scaler.scale(&unscaled, &mut learners[2]);
            rows += f64::from(u8::from(sample.counts));
            for ((error, learner), phi) in errors.iter_mut().zip(&mut learners).zip([known, unscaled, scaled]) {
                if sample.counts {
                    *error += (dot(&phi, &learner.w) - sample.mean).powi(2) / sample.variance;
                }
                learner.learn(&phi, sample.target.into());
            }
        }
        errors.iter().map(|error| error / rows).collect()
    }));
    Units { n, known: errors[0], unscaled: errors[1], scaled: errors[2] }
}
