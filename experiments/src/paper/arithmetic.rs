//! Four arithmetics on the same equations.

use osculate::StoredConfig;
use osculate_lab::drawing::{Axis, Line};
use osculate_lab::numbers::{median, most};

use super::figure::{Claim, Curves, Figure, Summary, by_seed, log_spaced};
use super::learning::{CURVATURE, descent, in_all};
use super::noisy::{self, in_consistent_noise};
use super::{ARITHMETICS, FEATURES, STATES, Size};
use crate::worlds::equations::consistent;

/// Updates; the floor is the median error of the last half, and must be below these.
const LAST: u32 = 300;
const FLOORS: [f64; 4] = [1e-12, 1e-6, 1e-7, 1e-6];

/// Where each arithmetic ends without noise, and that they are alike with noise.
pub(super) fn figure(size: Size) -> Figure {
    let exact = by_seed("figure arithmetic", size.seeds, ARITHMETICS, |seed| {
        let rows = consistent(seed, 100, 30);
        in_all::<30, 100>(CURVATURE).map(|mut learner| descent(&mut learner, &rows, LAST)).into()
    });
    let noisy = by_seed("figure arithmetic, noisy", size.seeds, ARITHMETICS, |seed| {
        in_consistent_noise(&mut in_all::<FEATURES, STATES>(StoredConfig::PAPER), seed)
    });
    let floors = |run: &Curves| run.each(|errors| median(&errors[LAST as usize / 2..]));
    let floor = |run: &Curves| Summary::new("floor of the relative error, noise-free", &run.name, &floors(run));
    let lines = |runs: &[Curves], xs: &[u32]| -> Vec<Line> {
        (0..4).map(|i| if i == 0 { runs[i].line(xs) } else { runs[i].thin(xs) }).collect()
    };
    let apart = |run: &Curves| -> Vec<f64> {
        run.last().iter().zip(noisy[0].last()).map(|(a, b)| (a / b - 1.0).abs()).collect()
    };
    let alike = "noisy error at k = 10^4, farthest from f64 of any seed and arithmetic (share)";
    let claim = |(run, limit): (&Curves, f64)| {
        Claim::at_most(format!("floor of the error in {}, median", run.name), median(floors(run)), limit)
    };
    let caption = format!(
        "The same equations, with features of 15 bits, in four arithmetics. Without noise (100 × 30, η = 1, β = 0) each falls at the same rate until \
         its own rounding stops it; with noise (25 × 10, the paper's rule) there is nothing to tell them apart. Medians of {} seeds, f64 shaded from best to worst.",
        size.seeds
    );
    let (all, few) = (Vec::from_iter(1..=LAST), log_spaced(noisy::LAST, 12));
    Figure::new("arithmetic", "f64, f32 and fixed point", caption)
        .seeds(size.seeds)
        .errors("without noise: where rounding stops it", Axis::linear("iterations"), lines(&exact, &all))
        .errors("with noise: alike", Axis::log("episodes k"), lines(&noisy, &few))
        .results(exact.iter().map(floor))
        .results(noisy.iter().map(|run| run.ends("relative error at k = 10^4, noisy")))
        .claims(exact.iter().zip(FLOORS).map(claim))
        .claims([Claim::at_most(alike, most(&noisy[1..].iter().flat_map(apart).collect::<Vec<_>>()), 0.02)])
}
