//! Figure 2b: noisy targets, and a different number of rows in each episode.

use osculate::StoredConfig;
use osculate_lab::drawing::{Axis, Panel};
use osculate_lab::numbers::median;

use super::figure::{Claim, Curves, Figure, by_seed, least, log_spaced};
use super::learning::{episode, episodes, in_all};
use super::{ARITHMETICS, FEATURES, NOISE, STATES, Size};
use crate::contender::Contender;
use crate::worlds::NoisyStates;
use osculate_lab::dice::Dice;

/// Episodes.
pub(super) const LAST: u32 = 10_000;

/// The errors of learners at 12 numbers of episodes per decade: τ is uniform in 1..=25 in each.
pub(super) fn in_noise(learners: &mut [Box<dyn Contender>], seed: u64) -> Vec<Vec<f64>> {
    let world = NoisyStates::consistent(seed, STATES, FEATURES, NOISE);
    let mut dice = Dice::new(seed + 1_000);
    episodes(learners, &world.solution(), &log_spaced(LAST, 12), || {
        let tau = 1 + dice.below(STATES as u32) as usize;
        episode(&world.draw(&mut dice, tau))
    })
}

const RULES: [(&str, StoredConfig); 3] = [
    ("plain", StoredConfig::PLAIN),
    ("curvature", StoredConfig { beta: 0.0, ..StoredConfig::PAPER }),
    ("curvature + heavy ball ½", StoredConfig::PAPER),
];

/// Figure 2b: plain, curvature, and curvature with momentum.
pub(super) fn figure(size: Size) -> Figure {
    let names = RULES.iter().flat_map(|(rule, _)| ARITHMETICS.map(|arithmetic| format!("{rule}, {arithmetic}")));
    let runs = by_seed("2b", size.seeds, names, |seed| {
        let learners = RULES.into_iter().flat_map(|(_, rule)| in_all::<FEATURES, STATES>(rule));
        in_noise(&mut learners.collect::<Vec<_>>(), seed)
    });
    let counts = log_spaced(LAST, 12);
    let line = |i: usize| Curves { name: RULES[i].0.into(), ..runs[4 * i].clone() }.line(&counts);
    // The least of the four arithmetics.
    let ratio = |one: usize, other: usize| {
        least(&[0, 1, 2, 3].map(|i| median(runs[4 * one + i].last()) / median(runs[4 * other + i].last())))
    };
    Figure {
        id: "2b",
        title: "Curvature and momentum in noise",
        caption: format!(
            "{STATES} states, {FEATURES} features, τ uniform in 1 … {STATES} rows per episode, target noise ±½, η = 1/k, the paper's \
             parameters. Median of {} seeds in f64, shaded from best to worst.",
            size.seeds
        ),
        seeds: size.all_seeds(),
        panels: vec![Panel::new(
            format!("{STATES} × {FEATURES}, noisy"),
            Axis::log("episodes k"),
            Axis::log("relative error"),
            (0..3).map(line).collect(),
        )],
        results: runs.iter().map(|run| run.ends("relative error at k = 10^4")).collect(),
        claims: vec![
            Claim::above_one("error at k = 10^4, plain over curvature, least of four arithmetics", ratio(0, 1)),
            Claim::above_one("the same, curvature over curvature + momentum", ratio(1, 2)),
            Claim::at_least("the same, plain over curvature + momentum", ratio(0, 2), 10.0),
        ],
    }
}
