//! Figure 2b: noisy targets, and a different number of rows in each episode.

use osculate::{Q24, Q28, StoredConfig};

use super::figure::{Axis, Bound, Claim, Figure, Panel};
use super::learning::{ARITHMETICS, episodes};
use super::statistics::{least, log_spaced, median, over_seeds, summary};
use super::{Experiment, Size};
use crate::worlds::{Dice, NoisyStates};

pub(super) const STATES: usize = 25;
pub(super) const FEATURES: usize = 10;
/// Targets are off by up to this.
pub(super) const NOISE: f32 = 0.5;
/// Episodes.
pub(super) const LAST: u32 = 10_000;

/// The errors of one learner: τ is uniform in 1..=25 in each episode.
pub(super) type Episodes = fn(StoredConfig, u64, &[u32]) -> Vec<f64>;
pub(super) const EPISODES: [Episodes; 4] = [in_noise::<f64>, in_noise::<f32>, in_noise::<Q28>, in_noise::<Q24>];

fn in_noise<A: osculate::Arithmetic>(config: StoredConfig, seed: u64, counts: &[u32]) -> Vec<f64> {
    let world = NoisyStates::consistent(seed, STATES, FEATURES, NOISE);
    let mut dice = Dice::new(seed + 1_000);
    episodes::<A, FEATURES, STATES>(config, &world.solution(), counts, || {
        let tau = 1 + dice.below(STATES as u32) as usize;
        world.draw(&mut dice, tau)
    })
}

const RULES: [(&str, StoredConfig); 3] = [
    ("plain", StoredConfig::PLAIN),
    ("curvature", StoredConfig { beta: 0.0, ..StoredConfig::PAPER }),
    ("curvature + heavy ball ½", StoredConfig::PAPER),
];

/// Figure 2b: plain, curvature, and curvature with momentum.
pub(super) fn figure(size: Size) -> Experiment {
    let work = |seed| RULES.map(|(_, rule)| EPISODES.map(|learn| learn(rule, seed, &log_spaced(LAST, 12))));
    Experiment::new(size.all_seeds(), work, move |runs| {
        let counts = log_spaced(LAST, 12);
        let of = |rule: usize, arithmetic: usize| -> Vec<Vec<f64>> {
            runs.iter().map(|run| run[rule][arithmetic].clone()).collect()
        };
        let last = |rule, arithmetic| -> Vec<f64> {
            of(rule, arithmetic).iter().map(|run| *run.last().expect("there is a last count")).collect()
        };
        let results = (0..3).flat_map(|rule| {
            let named = |i: usize| format!("{}, {}", RULES[rule].0, ARITHMETICS[i]);
            let all = (0..4).map(|i| summary("relative error at k = 10^4", named(i), &last(rule, i)));
            all.collect::<Vec<_>>()
        });
        // The least of the four arithmetics.
        let ratio = |one, other| least(&[0, 1, 2, 3].map(|i| median(&last(one, i)) / median(&last(other, i))));
        Figure {
            id: "2b",
            title: "Curvature and momentum in noise".into(),
            caption: format!(
                "{STATES} states, {FEATURES} features, τ uniform in 1 … {STATES} rows per episode, target noise ±½, η = 1/k, the paper's \
                 parameters. Median of {} seeds in f64, shaded from best to worst.",
                size.seeds
            ),
            rules: RULES.map(|(name, _)| name.into()).into(),
            seeds: size.all_seeds(),
            panels: vec![Panel {
                title: format!("{STATES} × {FEATURES}, noisy"),
                x: Axis::log("episodes k"),
                y: Axis::log("relative error"),
                lines: (0..3).map(|rule| over_seeds(RULES[rule].0, &counts, &of(rule, 0), median)).collect(),
            }],
            results: results.collect(),
            claims: vec![
                Claim::new(
                    "error at k = 10^4, plain over curvature, least of four arithmetics",
                    ratio(0, 1),
                    Bound::Above,
                    1.0,
                ),
                Claim::new("the same, curvature over curvature + momentum", ratio(1, 2), Bound::Above, 1.0),
                Claim::new("the same, plain over curvature + momentum", ratio(0, 2), Bound::AtLeast, 10.0),
            ],
        }
    })
}
