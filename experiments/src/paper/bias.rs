//! Where the paper's theorem bends: ϑ from the same batch as the direction moves the limit away from w*.

use osculate::{Schedule, StoredConfig};
use osculate_host_tests::worlds::Dice;
use osculate_host_tests::worlds::{Chain, Weighting};
use osculate_lab::drawing::{Axis, Line};
use osculate_lab::numbers::median;

use super::Size;
use super::figure::{Claim, Figure};
use crate::contender::Contender;
use crate::curves::{Curves, Run, by_seed, log_spaced};
use crate::equations::{FEATURES, FEW, NoisyStates, STATES, dice, on_chain, on_states};
use crate::rules::ours::{stored, streaming, tracking};

/// Episodes in a world that changes, the one after which it does, and those after it at which the rules are compared.
const CHANGING: u32 = 2_000;
const CHANGE: u32 = 1_000;
const SOON: u32 = 200;

/// Each rule has the same colour in every chart.
const INKS: [usize; 5] = [0, 1, 2, 4, 3];

/// A learner's weights averaged as the crate does it for `predictable` only: w̄ += min(1, 4/(k + 3)) (w − w̄).
fn averaged(mut learner: Contender) -> Contender {
    let mut k = 0.0_f64;
    Contender::steps(FEATURES, move |average, step, next| {
        learner.learn(step, next);
        if next.is_none() {
            k += 1.0;
            let share = (4.0 / (k + 3.0)).min(1.0);
            for (mean, w) in average.w.iter_mut().zip(&learner.learned.w) {
                *mean += share * (w - *mean);
            }
        }
    })
}

/// All rules in f64, so that nothing but the rule differs. Between “same batch, averaged”, with ϑ as in the paper and
/// everything else as in `predictable`, and `predictable` nothing differs but the bias. The last one only learns from chains.
fn learners(gamma: f32) -> [Contender; 5] {
    let batch = |config| stored::<f64, FEATURES, STATES>(StoredConfig { gamma, ..config });
    let same = batch(StoredConfig { schedule: Schedule::ThreeQuarters, ..StoredConfig::PAPER });
    [
        batch(StoredConfig::PAPER).named("paper"),
        averaged(same).named("same batch, averaged"),
        batch(StoredConfig::PREDICTABLE).named("predictable"),
        tracking::<f64, FEATURES>(gamma.into()).named("tracking"),
        streaming::<f64, FEATURES>(gamma.into()).named("streaming"),
    ]
}

fn independent(learners: &mut [Contender; 5], seed: u64, dice: &mut Dice, counts: &[u32]) -> Vec<Run> {
    on_states(&NoisyStates::contradictory(seed), dice, Some(FEW), &mut learners[..4], counts)
}

/// The bias, what removes it, and what `tracking` trades for it.
pub(super) fn figure(size: Size) -> Figure {
    let long = size.long;
    let counts = log_spaced(long, 8);
    let changing: Vec<u32> = (1..=CHANGING / 10).map(|i| i * 10).collect();
    let rows =
        by_seed("figure bias", 0..size.seeds, |seed| independent(&mut learners(0.0), seed, &mut dice(seed), &counts));
    let chain = by_seed("figure bias, on a chain", 0..size.seeds, |seed| {
        on_chain(seed, Weighting::FirstVisits, &mut learners(Chain::GAMMA), &counts)
    });
    let changed = by_seed("figure bias, in a world that changes", 0..size.seeds, |seed| {
        let (mut learners, mut dice) = (learners(0.0), dice(seed));
        let (before, after) = changing.split_at(CHANGE as usize / 10);
        let mut errors = independent(&mut learners, seed, &mut dice, before);
        let after: Vec<u32> = after.iter().map(|count| count - CHANGE).collect();
        let more = independent(&mut learners, seed + 2_000, &mut dice, &after);
        errors.iter_mut().zip(more).for_each(|((_, errors), (_, more))| errors.extend(more));
        errors
    });
    let lines = |runs: &[Curves], xs: &[u32]| -> Vec<Line> {
        runs.iter().zip(INKS).map(|(run, ink)| run.thin(xs).ink(ink)).collect()
    };
    let then = |errors: &[f64]| errors[(CHANGE + SOON) as usize / 10 - 1];
    let quantity = |world: &str| format!("relative error after {long} episodes of {world}");
    let [of_rows, of_chain] = [quantity(&format!("{FEW} independent rows")), quantity("a Markov chain")];
    let of_change = format!("relative error {SOON} episodes after the states were replaced");
    let ratio = |runs: &[Curves], one: usize| median(runs[one].last()) / median(runs[2].last());
    let soon = median(changed[2].each(then)) / median(changed[3].each(then));
    let episodes = || Axis::log("episodes k");
    let caption = format!(
        "The paper takes ϑ from the batch that it then multiplies, so the limit solves E[ϑ·TP] = 0 and not E[TP] = 0. “Same batch, averaged” has \
         the paper's ϑ and everything else from `predictable` (η = 1/k^¾, an average), so that what remains between the two is that bias. \
         `predictable` and `streaming` take ϑ from past episodes and have none. `tracking` has no schedule: from independent rows it goes to w* as well, with \
         more noise, and on the chain to the limit of its bootstrapped targets (TD(λ), λ = 0.8), which is not w*; when the world changes, it is the one that \
         follows. {STATES} states, {FEATURES} features, f64, \
         medians of {} seeds; w* weighs the states of a chain by how many episodes visit them.",
        size.seeds
    );
    Figure::new("bias", "Where the theorem bends", caption)
        .seeds(size.seeds)
        .errors(format!("{FEW} independent rows per episode"), episodes(), lines(&rows, &counts))
        .errors("a Markov chain of 25 states", episodes(), lines(&chain, &counts))
        .errors(format!("other states after {CHANGE} episodes"), Axis::linear("episodes k"), lines(&changed, &changing))
        .results(rows.iter().map(|run| run.ends(&of_rows)))
        .results(chain.iter().map(|run| run.ends(&of_chain)))
        .results(changed.iter().map(|run| run.summary(&of_change, then)))
        .claims([
            Claim::above_one("independent rows: error of same batch over predictable, medians", ratio(&rows, 1)),
            Claim::above_one("chain: error of same batch over predictable, medians", ratio(&chain, 1)),
            Claim::at_most("chain: error of streaming over predictable, medians", ratio(&chain, 4), 1.1),
            Claim::above_one(
                format!("{SOON} episodes after the change: error of predictable over tracking, medians"),
                soon,
            ),
        ])
}
