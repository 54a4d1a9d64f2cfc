//! Figure 2b: noisy targets, and a different number of rows in each episode.

use osculate::StoredConfig;
use osculate_host_tests::worlds::Dice;
use osculate_lab::drawing::Axis;
use osculate_lab::numbers::{least, median};

use super::figure::{Claim, Figure, by_seed, log_spaced};
use super::learning::{episode, episodes, in_all};
use super::{ARITHMETICS, FEATURES, NOISE, STATES, Size};
use crate::contender::Contender;
use crate::worlds::NoisyStates;

/// Episodes.
pub(super) const LAST: u32 = 10_000;

/// How the states of a noisy world are made, of which [`NoisyStates`] knows two ways.
type World = fn(u64, usize, usize, f32) -> NoisyStates;

/// The errors of learners after these numbers of episodes: τ is uniform in 1..=25 in each.
pub(super) fn in_noise(world: World, learners: &mut [Contender], seed: u64, counts: &[u32]) -> Vec<Vec<f64>> {
    let (world, mut dice) = (world(seed, STATES, FEATURES, NOISE), Dice::new(seed + 1_000));
    episodes(learners, &world.solution(), counts, || {
        let tau = 1 + dice.below(STATES as u32) as usize;
        episode(&world.draw(&mut dice, tau))
    })
}

/// The same at 12 numbers of episodes per decade, with mean targets that agree.
pub(super) fn in_consistent_noise(learners: &mut [Contender], seed: u64) -> Vec<Vec<f64>> {
    in_noise(NoisyStates::consistent, learners, seed, &log_spaced(LAST, 12))
}

const RULES: [(&str, StoredConfig); 3] = [
    ("plain", StoredConfig::PLAIN),
    ("curvature", StoredConfig { beta: 0.0, ..StoredConfig::PAPER }),
    ("curvature + heavy ball ½", StoredConfig::PAPER),
];

/// Figure 2b: plain, curvature, and curvature with momentum.
pub(super) fn figure(size: Size) -> Figure {
    let names = RULES.iter().flat_map(|(rule, _)| ARITHMETICS.map(|arithmetic| format!("{rule}, {arithmetic}")));
    let runs = by_seed("figure 2b", size.seeds, names, |seed| {
        let learners = RULES.into_iter().flat_map(|(_, rule)| in_all::<FEATURES, STATES>(rule));
        in_consistent_noise(&mut learners.collect::<Vec<_>>(), seed)
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
