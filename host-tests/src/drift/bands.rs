//! How often the bands of a prediction hold.

use super::contestants::rows;
use super::{Case, Problem};

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

/// Counts over the last ¾ of the rows of every seed, for one of the [`SIZES`](super::SIZES), in f32.
pub fn coverage(n: usize, case: (Case, &'static str), seeds: u64) -> Coverage {
    match n {
        4 => covered::<4>(case, seeds),
        10 => covered::<10>(case, seeds),
        32 => covered::<32>(case, seeds),
        _ => unreachable!("not a size of the table"),
    }
}

fn covered<const N: usize>((case, name): (Case, &'static str), seeds: u64) -> Coverage {
    let (mut all, mut target, mut mean) = (0_u32, 0_u32, 0_u32);
    for seed in 0..seeds {
        let mut predictor = rows::<f32, N>();
        for sample in Problem::new(case, N, seed) {
            let phi: &[f32; N] = sample.phi.as_slice().try_into().expect("as many features as weights");
            if sample.counts {
                let value = predictor.value(phi).expect("a usable row");
                let band = predictor.band(phi).expect("a usable row").expect("rows were learned before");
                all += 1;
                target += u32::from((sample.target - value).abs() <= band.next);
                mean += u32::from((sample.mean - f64::from(value)).abs() <= f64::from(band.mean));
            }
            predictor.learn(sample.target, phi).expect("a usable row");
        }
    }
    let share = |held: u32| f64::from(held) / f64::from(all);
    Coverage { n: N, case: name, target: share(target), mean: share(mean) }
}
