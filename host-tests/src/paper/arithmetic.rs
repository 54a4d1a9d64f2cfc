//! Four arithmetics on the same equations.

use osculate::{Q24, Q28, StoredConfig};

use super::figure::{Axis, Bound, Claim, Figure, Panel};
use super::learning::{ARITHMETICS, CURVATURE, descent};
use super::noisy::{self, EPISODES};
use super::problem::consistent;
use super::statistics::{log_spaced, median, most, over_seeds, summary};
use super::{Experiment, Size};

/// Updates; the floor is the median error of the last half.
const LAST: u32 = 300;
/// The floors must be below these.
const FLOORS: [(&str, f64); 4] = [("f64", 1e-12), ("f32", 1e-6), ("q28", 1e-7), ("q24", 1e-6)];

/// Where each arithmetic ends without noise, and that they are alike with noise.
pub(super) fn figure(size: Size) -> Experiment {
    let work = |seed| {
        let rows = consistent(seed, 100, 30);
        let descents =
            [descent::<f64, 30, 100>, descent::<f32, 30, 100>, descent::<Q28, 30, 100>, descent::<Q24, 30, 100>];
        let counts = log_spaced(noisy::LAST, 12);
        std::array::from_fn::<_, 4, _>(|i| {
            (descents[i](CURVATURE, &rows, LAST), EPISODES[i](StoredConfig::PAPER, seed, &counts))
        })
    };
    Experiment::new(size.all_seeds(), work, move |runs| {
        let counts = log_spaced(noisy::LAST, 12);
        let updates: Vec<u32> = (1..=LAST).collect();
        let noise_free = |i: usize| -> Vec<Vec<f64>> { runs.iter().map(|run| run[i].0.clone()).collect() };
        let noise = |i: usize| -> Vec<Vec<f64>> { runs.iter().map(|run| run[i].1.clone()).collect() };
        let floors =
            |i| -> Vec<f64> { noise_free(i).iter().map(|errors| median(&errors[LAST as usize / 2..])).collect() };
        let last = |i| -> Vec<f64> { noise(i).iter().map(|errors| errors[errors.len() - 1]).collect() };
        let mut results: Vec<_> =
            (0..4).map(|i| summary("floor of the relative error, noise-free", ARITHMETICS[i], &floors(i))).collect();
        results.extend((0..4).map(|i| summary("relative error at k = 10^4, noisy", ARITHMETICS[i], &last(i))));
        let line = |i: usize, xs: &[u32], curves: &[Vec<f64>]| {
            let mut line = over_seeds(ARITHMETICS[i], xs, curves, median);
            if i > 0 {
                line.band.clear();
            }
            line
        };
        let apart =
            (1..4).flat_map(|i| last(i).into_iter().zip(last(0)).map(|(a, b)| (a / b - 1.0).abs()).collect::<Vec<_>>());
        let mut claims: Vec<Claim> = (0..4)
            .map(|i| {
                let (name, limit) = FLOORS[i];
                Claim::new(format!("floor of the error in {name}, median"), median(&floors(i)), Bound::AtMost, limit)
            })
            .collect();
        claims.push(Claim::new(
            "noisy error at k = 10^4, farthest from f64 of any seed and arithmetic (share)",
            most(&apart.collect::<Vec<_>>()),
            Bound::AtMost,
            0.02,
        ));
        Figure {
            id: "arithmetic",
            title: "f64, f32 and fixed point".into(),
            caption: format!(
                "The same equations, with features of 15 bits, in four arithmetics. Without noise (100 × 30, η = 1, β = 0) each falls at the same rate until \
                 its own rounding stops it; with noise (25 × 10, the paper's rule) there is nothing to tell them apart. Medians of {} seeds, f64 shaded from best to worst.",
                size.seeds
            ),
            rules: vec!["curvature step".into(), "paper".into()],
            seeds: size.all_seeds(),
            panels: vec![
                Panel {
                    title: "without noise: where rounding stops it".into(),
                    x: Axis::linear("iterations"),
                    y: Axis::log("relative error"),
                    lines: (0..4).map(|i| line(i, &updates, &noise_free(i))).collect(),
                },
                Panel {
                    title: "with noise: alike".into(),
                    x: Axis::log("episodes k"),
                    y: Axis::log("relative error"),
                    lines: (0..4).map(|i| line(i, &counts, &noise(i))).collect(),
                },
            ],
            results,
            claims,
        }
    })
}
