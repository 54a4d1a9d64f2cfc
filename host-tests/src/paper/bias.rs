//! Where the paper's theorem bends: ϑ from the same batch as the direction moves the limit away from w*.

use super::figure::{Axis, Bound, Claim, Figure, Line, Panel};
use super::noisy::{FEATURES, NOISE, STATES};
use super::statistics::{log_spaced, median, over_seeds, summary};
use super::walker::Rule;
use super::{Experiment, Size};
use crate::worlds::{Chain, Dice, NoisyStates, Weighting};

/// Rows per episode for independent states.
const TAU: usize = 5;
/// Episodes in a world that changes, and the one after which it does.
const CHANGING: u32 = 2_000;
const CHANGE: u32 = 1_000;
/// Episodes after the change at which the rules are compared.
const SOON: u32 = 200;

const INDEPENDENT: [Rule; 4] = [Rule::Paper, Rule::SameBatch, Rule::Predictable, Rule::Tracking];
const WALKING: [Rule; 5] = [Rule::Paper, Rule::SameBatch, Rule::Predictable, Rule::Streaming, Rule::Tracking];

/// Errors by rule at some numbers of episodes.
type Errors = Vec<Vec<f64>>;

/// On independent rows; after `change` episodes, the states are others.
fn independent(seed: u64, counts: &[u32], change: u32) -> Errors {
    let mut world = NoisyStates::contradictory(seed, STATES, FEATURES, NOISE);
    let (mut solution, mut dice) = (world.solution(), Dice::new(seed + 1_000));
    let mut learners = INDEPENDENT.map(|rule| rule.learner(0.0));
    let mut errors = vec![Vec::new(); learners.len()];
    for k in 1..=counts[counts.len() - 1] {
        if k == change + 1 {
            world = NoisyStates::contradictory(seed + 2_000, STATES, FEATURES, NOISE);
            solution = world.solution();
        }
        let rows = world.draw(&mut dice, TAU);
        for (learner, errors) in learners.iter_mut().zip(&mut errors) {
            learner.learn(&rows);
            if counts.binary_search(&k).is_ok() {
                errors.push(learner.error(&solution));
            }
        }
    }
    errors
}

/// On the episodes of a chain.
fn walking(seed: u64, counts: &[u32]) -> Errors {
    let world = Chain::new(seed, STATES, FEATURES);
    let solution = world.solution(Weighting::FirstVisits);
    let mut dice = Dice::new(seed + 1_000);
    let mut learners = WALKING.map(|rule| rule.learner(Chain::GAMMA));
    let mut errors = vec![Vec::new(); learners.len()];
    for k in 1..=counts[counts.len() - 1] {
        let visits = world.episode(&mut dice);
        for (learner, errors) in learners.iter_mut().zip(&mut errors) {
            learner.walk(&world, &visits);
            if counts.binary_search(&k).is_ok() {
                errors.push(learner.error(&solution));
            }
        }
    }
    errors
}

fn changing_counts() -> Vec<u32> {
    (1..=CHANGING / 10).map(|i| i * 10).collect()
}

/// The bias, what removes it, and what `tracking` trades for it.
pub(super) fn figure(size: Size) -> Experiment {
    let long = size.long;
    let work = move |seed| {
        let counts = log_spaced(long, 8);
        [independent(seed, &counts, long), walking(seed, &counts), independent(seed, &changing_counts(), CHANGE)]
    };
    Experiment::new(size.all_seeds(), work, move |runs| {
        let counts = log_spaced(long, 8);
        let of =
            |world: usize, rule: usize| -> Vec<Vec<f64>> { runs.iter().map(|run| run[world][rule].clone()).collect() };
        let last =
            |world, rule| -> Vec<f64> { of(world, rule).iter().map(|errors| errors[errors.len() - 1]).collect() };
        let lines = |world: usize, rules: &[Rule], xs: &[u32]| -> Vec<Line> {
            let line = |(i, rule): (usize, &Rule)| {
                let mut line = over_seeds(rule.name(), xs, &of(world, i), median);
                line.band.clear();
                // Each rule has the same colour in every chart.
                line.ink(*rule as usize)
            };
            rules.iter().enumerate().map(line).collect()
        };
        let soon = changing_counts().partition_point(|count| *count < CHANGE + SOON);
        let then = |rule| -> Vec<f64> { of(2, rule).iter().map(|errors| errors[soon]).collect() };
        let worlds = [
            (format!("relative error after {long} episodes of {TAU} independent rows"), &INDEPENDENT[..]),
            (format!("relative error after {long} episodes of a Markov chain"), &WALKING[..]),
        ];
        let mut results = Vec::new();
        for (world, (quantity, rules)) in worlds.iter().enumerate() {
            results.extend(rules.iter().enumerate().map(|(i, rule)| summary(quantity, rule.name(), &last(world, i))));
        }
        let quantity = format!("relative error {SOON} episodes after the states were replaced");
        results.extend(INDEPENDENT.iter().enumerate().map(|(i, rule)| summary(&quantity, rule.name(), &then(i))));
        let ratio = |world, one, other| median(&last(world, one)) / median(&last(world, other));
        Figure {
            id: "bias",
            title: "Where the theorem bends".into(),
            caption: format!(
                "The paper takes ϑ from the batch that it then multiplies, so the limit solves E[ϑ·TP] = 0 and not E[TP] = 0. “Same batch, averaged” has \
                 the paper's ϑ and everything else from `predictable` (η = 1/k^¾, an average), so that what remains between the two is that bias. \
                 `predictable` and `streaming` take ϑ from past episodes and have none. `tracking` has no schedule: from independent rows it goes to w* as well, with \
                 more noise, and on the chain to the limit of its bootstrapped targets (TD(λ), λ = 0.8), which is not w*; when the world changes, it is the one that \
                 follows. {STATES} states, {FEATURES} features, f64, \
                 medians of {} seeds; w* weighs the states of a chain by how many episodes visit them.",
                size.seeds
            ),
            rules: WALKING.map(|rule| rule.name().into()).into(),
            seeds: size.all_seeds(),
            panels: vec![
                Panel {
                    title: format!("{TAU} independent rows per episode"),
                    x: Axis::log("episodes k"),
                    y: Axis::log("relative error"),
                    lines: lines(0, &INDEPENDENT, &counts),
                },
                Panel {
                    title: "a Markov chain of 25 states".into(),
                    x: Axis::log("episodes k"),
                    y: Axis::log("relative error"),
                    lines: lines(1, &WALKING, &counts),
                },
                Panel {
                    title: format!("other states after {CHANGE} episodes"),
                    x: Axis::linear("episodes k"),
                    y: Axis::log("relative error"),
                    lines: lines(2, &INDEPENDENT, &changing_counts()),
                },
            ],
            results,
            claims: vec![
                Claim::new(
                    "independent rows: error of same batch over predictable, medians",
                    ratio(0, 1, 2),
                    Bound::Above,
                    1.0,
                ),
                Claim::new("chain: error of same batch over predictable, medians", ratio(1, 1, 2), Bound::Above, 1.0),
                Claim::new("chain: error of streaming over predictable, medians", ratio(1, 3, 2), Bound::AtMost, 1.1),
                Claim::new(
                    format!("{SOON} episodes after the change: error of predictable over tracking, medians"),
                    median(&then(2)) / median(&then(3)),
                    Bound::Above,
                    1.0,
                ),
            ],
        }
    })
}
