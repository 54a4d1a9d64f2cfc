//! The choice of β: a sweep without and with noise.

use osculate::StoredConfig;
use osculate_lab::drawing::{Axis, Line};
use osculate_lab::numbers::{least, median, most};

use super::figure::{Claim, Curves, Figure, Summary, by_seed, log_spaced};
use super::learning::{CURVATURE, GOAL, descent, in_all, to_goal};
use super::noisy::{self, in_consistent_noise};
use super::{ARITHMETICS, FEATURES, STATES, Size};
use crate::contender::Contender;
use crate::worlds::equations::consistent;

/// The β of the sweep, and the ones whose error is drawn over the iterations.
const BETAS: [f32; 10] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const DRAWN: [usize; 5] = [0, 3, 5, 7, 9];
/// Updates without noise.
const LAST: u32 = 400;
/// The arithmetics of the sweep.
const IN: [usize; 2] = [0, 2];

/// For each β a learner in f64 and one in q28.
fn learners<const ROWS: usize, const N: usize>(config: StoredConfig) -> Vec<Contender> {
    let in_two = |beta| {
        let [f64, _, q28, _] = in_all::<N, ROWS>(StoredConfig { beta, ..config });
        [f64, q28]
    };
    BETAS.into_iter().flat_map(in_two).collect()
}

/// A number of every run over β: f64 with its range, and q28.
fn sweep(numbers: &[Vec<f64>]) -> Vec<Line> {
    let line = |i: usize| {
        let all = || BETAS.iter().map(|beta| f64::from(*beta)).zip(numbers.iter().skip(i).step_by(2));
        let points = all().map(|(x, values)| (x, median(values.as_slice()))).collect();
        let band = all().map(|(x, values)| (x, least(values), most(values))).take(if i == 0 { BETAS.len() } else { 0 });
        Line { band: band.collect(), ..Line::plain(ARITHMETICS[IN[i]], points) }
    };
    vec![line(0), line(1)]
}

/// Error over iterations for several β, and where each ends.
pub(super) fn figure(size: Size) -> Figure {
    let name = |beta: usize| format!("β = {}", BETAS[beta]);
    let names = || (0..BETAS.len()).flat_map(|beta| IN.map(|i| format!("{}, {}", name(beta), ARITHMETICS[i])));
    let exact = by_seed("figure beta", size.seeds, names(), |seed| {
        let rows = consistent(seed, 100, 30);
        learners::<100, 30>(CURVATURE).iter_mut().map(|one| descent(one, &rows, LAST)).collect()
    });
    let noisy = by_seed("figure beta, noisy", size.seeds, names(), |seed| {
        in_consistent_noise(&mut learners::<STATES, FEATURES>(StoredConfig::PAPER), seed)
    });
    let (few, spaced) = (Vec::from_iter(1..=100), log_spaced(noisy::LAST, 12));
    let begun: Vec<Curves> = exact.iter().map(|run| run.at(&few)).collect();
    let drawn = |runs: &[Curves], xs: &[u32]| DRAWN.map(|beta| runs[2 * beta].named(name(beta)).thin(xs)).into();
    let iterations: Vec<_> = exact.iter().map(|run| run.each(to_goal)).collect();
    let ends: Vec<_> = noisy.iter().map(Curves::last).collect();
    // None over one half.
    let ratio = |numbers: &[Vec<f64>]| median(numbers[0].as_slice()) / median(numbers[10].as_slice());
    let never = |run: &Curves| run.each(|errors| f64::from(u8::from(errors.iter().all(|error| *error > GOAL))));
    let never = exact.iter().flat_map(never).sum();
    let caption = format!(
        "Heavy ball with β from 0 to 0.9. Without noise: 100 × 30 as in 1a, η = 1. With noise: 25 × 10 as in 2b, η = 1/k. Medians of {} seeds, \
         the lines over iterations in f64; in the sweeps, f64 is shaded from best to worst, and q28 lies on top of it.",
        size.seeds
    );
    let x = || Axis::linear("β");
    let results = exact.iter().zip(&iterations);
    Figure::new("beta", "The choice of β", caption)
        .seeds(size.seeds)
        .errors("a  without noise", Axis::linear("iterations"), drawn(&begun, &few))
        .panel("iterations to 1e-6 without noise", x(), Axis::linear("iterations to 1e-6"), sweep(&iterations))
        .errors("b  with noise", Axis::log("episodes k"), drawn(&noisy, &spaced))
        .panel("error after 10⁴ noisy episodes", x(), Axis::log("error at k = 10⁴"), sweep(&ends))
        .results(results.map(|(run, to_goal)| Summary::new("iterations to 1e-6, noise-free", &run.name, to_goal)))
        .results(noisy.iter().map(|run| run.ends("relative error at k = 10^4, noisy")))
        .claims([
            Claim::at_most("runs without noise that do not reach 1e-6, any β and arithmetic", never, 0.0),
            Claim::above_one("iterations to 1e-6, median, β = 0 over β = ½ (f64)", ratio(&iterations)),
            Claim::above_one("noisy error at k = 10^4, median, β = 0 over β = ½ (f64)", ratio(&ends)),
        ])
}
