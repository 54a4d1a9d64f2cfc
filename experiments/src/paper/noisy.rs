//! Noisy targets, and a different number of rows in each episode: figure 2b, four arithmetics, and the choice of β.

use osculate::StoredConfig;
use osculate_lab::drawing::{Axis, Line};
use osculate_lab::numbers::{least, median, most};

use super::Size;
use super::equations::{CURVATURE, GOAL, to_goal};
use super::figure::{Claim, Figure};
use crate::contender::Contender;
use crate::curves::{Curves, Run, Summary, by_seed, log_spaced};
use crate::equations::{FEATURES, NoisyStates, STATES, consistent, descent, dice, in_all, on_states};
use crate::rules::ARITHMETICS;

/// Episodes.
const LAST: u32 = 10_000;

/// The errors of learners at 12 numbers of episodes per decade, with mean targets that agree.
fn in_noise(learners: &mut [Contender], seed: u64) -> Vec<Run> {
    on_states(&NoisyStates::consistent(seed), &mut dice(seed), None, learners, &log_spaced(LAST, 12))
}

const RULES: [(&str, StoredConfig); 3] = [
    ("plain", StoredConfig::PLAIN),
    ("curvature", StoredConfig { beta: 0.0, ..StoredConfig::PAPER }),
    ("curvature + heavy ball ½", StoredConfig::PAPER),
];

/// Figure 2b: plain, curvature, and curvature with momentum.
pub(super) fn rules(size: Size) -> Figure {
    let runs = by_seed("figure 2b", 0..size.seeds, |seed| {
        in_noise(RULES.map(|(name, rule)| in_all::<FEATURES, STATES>(name, rule)).as_flattened_mut(), seed)
    });
    let counts = log_spaced(LAST, 12);
    let line = |i: usize| runs[4 * i].named(RULES[i].0).line(&counts);
    // The least of the four arithmetics.
    let ratio = |one: usize, other: usize| {
        least(&[0, 1, 2, 3].map(|i| median(runs[4 * one + i].last()) / median(runs[4 * other + i].last())))
    };
    let caption = format!(
        "{STATES} states, {FEATURES} features, τ uniform in 1 … {STATES} rows per episode, target noise ±½, η = 1/k, the paper's \
         parameters. Median of {} seeds in f64, shaded from best to worst.",
        size.seeds
    );
    Figure::new("2b", "Curvature and momentum in noise", caption)
        .seeds(size.seeds)
        .errors(format!("{STATES} × {FEATURES}, noisy"), Axis::log("episodes k"), (0..3).map(line).collect())
        .results(runs.iter().map(|run| run.ends("relative error at k = 10^4")))
        .claims([
            Claim::above_one("error at k = 10^4, plain over curvature, least of four arithmetics", ratio(0, 1)),
            Claim::above_one("the same, curvature over curvature + momentum", ratio(1, 2)),
            Claim::at_least("the same, plain over curvature + momentum", ratio(0, 2), 10.0),
        ])
}

/// Updates without noise; the floor is the median error of the last half, and must be below these.
const EXACT: u32 = 300;
const FLOORS: [f64; 4] = [1e-12, 1e-6, 1e-7, 1e-6];

/// Where each arithmetic ends without noise, and that they are alike with noise.
pub(super) fn arithmetics(size: Size) -> Figure {
    let exact = by_seed("figure arithmetic", 0..size.seeds, |seed| {
        descent(&mut in_all::<30, 100>("", CURVATURE), &consistent(seed, 100, 30), EXACT)
    });
    let noisy = by_seed("figure arithmetic, noisy", 0..size.seeds, |seed| {
        in_noise(&mut in_all::<FEATURES, STATES>("", StoredConfig::PAPER), seed)
    });
    let floor = |errors: &[f64]| median(&errors[EXACT as usize / 2..]);
    let lines = |runs: &[Curves], xs: &[u32]| -> Vec<Line> {
        (0..4).map(|i| if i == 0 { runs[i].line(xs) } else { runs[i].thin(xs) }).collect()
    };
    let apart = |run: &Curves| -> Vec<f64> {
        run.last().iter().zip(noisy[0].last()).map(|(a, b)| (a / b - 1.0).abs()).collect()
    };
    let alike = "noisy error at k = 10^4, farthest from f64 of any seed and arithmetic (share)";
    let claim = |(run, limit): (&Curves, f64)| {
        Claim::at_most(format!("floor of the error in {}, median", run.name), median(run.each(floor)), limit)
    };
    let caption = format!(
        "The same equations, with features of 15 bits, in four arithmetics. Without noise (100 × 30, η = 1, β = 0) each falls at the same rate until \
         its own rounding stops it; with noise (25 × 10, the paper's rule) there is nothing to tell them apart. Medians of {} seeds, f64 shaded from best to worst.",
        size.seeds
    );
    let (all, few) = (Vec::from_iter(1..=EXACT), log_spaced(LAST, 12));
    Figure::new("arithmetic", "f64, f32 and fixed point", caption)
        .seeds(size.seeds)
        .errors("without noise: where rounding stops it", Axis::linear("iterations"), lines(&exact, &all))
        .errors("with noise: alike", Axis::log("episodes k"), lines(&noisy, &few))
        .results(exact.iter().map(|run| run.summary("floor of the relative error, noise-free", floor)))
        .results(noisy.iter().map(|run| run.ends("relative error at k = 10^4, noisy")))
        .claims(exact.iter().zip(FLOORS).map(claim))
        .claims([Claim::at_most(alike, most(&noisy[1..].iter().flat_map(apart).collect::<Vec<_>>()), 0.02)])
}

/// The β of the sweep, and the ones whose error is drawn over the iterations.
const BETAS: [f32; 10] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const DRAWN: [usize; 5] = [0, 3, 5, 7, 9];
/// Updates of the sweep without noise.
const SWEPT: u32 = 400;
/// The arithmetics of the sweep.
const IN: [usize; 2] = [0, 2];

/// For each β a learner in f64 and one in q28.
fn learners<const ROWS: usize, const N: usize>(config: StoredConfig) -> Vec<Contender> {
    let in_two = |beta| {
        let [f64, _, q28, _] = in_all::<N, ROWS>(&format!("β = {beta}"), StoredConfig { beta, ..config });
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
pub(super) fn betas(size: Size) -> Figure {
    let exact = by_seed("figure beta", 0..size.seeds, |seed| {
        descent(&mut learners::<100, 30>(CURVATURE), &consistent(seed, 100, 30), SWEPT)
    });
    let noisy = by_seed("figure beta, noisy", 0..size.seeds, |seed| {
        in_noise(&mut learners::<STATES, FEATURES>(StoredConfig::PAPER), seed)
    });
    let (few, spaced) = (Vec::from_iter(1..=100), log_spaced(LAST, 12));
    let begun: Vec<Curves> = exact.iter().map(|run| run.at(&few)).collect();
    let line = |run: &Curves, beta: f32, xs: &[u32]| run.named(format!("β = {beta}")).thin(xs);
    let drawn = |runs: &[Curves], xs: &[u32]| DRAWN.map(|i| line(&runs[2 * i], BETAS[i], xs)).into();
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
