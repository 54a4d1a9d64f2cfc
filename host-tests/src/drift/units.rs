//! Columns in different units: factors from 10⁻³ to 10³.

use osculate::features::OnlineScaler;

use super::contestants::{product, rows};
use super::table::medians;
use super::{Case, Problem};

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

/// Compares the three in f32, for one of the [`SIZES`](super::SIZES).
pub fn units(n: usize, seeds: u64) -> Units {
    match n {
        4 => compared::<4>(seeds),
        10 => compared::<10>(seeds),
        32 => compared::<32>(seeds),
        _ => unreachable!("not a size of the table"),
    }
}

fn compared<const N: usize>(seeds: u64) -> Units {
    let factor = |column: usize| 10_f32.powf(6.0 * column as f32 / (N - 1) as f32 - 3.0);
    let errors = medians((0..seeds).map(|seed| {
        let mut learners = [0; 3].map(|_| rows::<f32, N>());
        let mut scaler = OnlineScaler::new();
        let (mut errors, mut count) = (vec![0.0; 3], 0.0);
        for sample in Problem::new(Case::Stationary, N, seed) {
            let known: [f32; N] = sample.phi.as_slice().try_into().expect("as many features as weights");
            let unscaled = std::array::from_fn(|column| known[column] * factor(column));
            let scaled = scaler.scale(&unscaled, &mut learners[2]).expect("a usable row");
            count += f64::from(u8::from(sample.counts));
            for ((error, learner), phi) in errors.iter_mut().zip(&mut learners).zip([known, unscaled, scaled]) {
                if sample.counts {
                    *error += (product(&phi, learner.weights()) - sample.mean).powi(2) / sample.variance;
                }
                learner.learn(sample.target, &phi).expect("a usable row");
            }
        }
        errors.iter().map(|error| error / count).collect()
    }));
    Units { n: N, known: errors[0], unscaled: errors[1], scaled: errors[2] }
}
