//! Rules and arithmetics on equal data: the distance of each from w* after the same number of episodes.

use osculate::{Q24, Q28, StoredConfig};
use osculate_host_tests::reference::Row;
use osculate_host_tests::reference::closed_form::{relative_error, scale_invariant};
use osculate_host_tests::worlds::Dice;
use osculate_host_tests::worlds::{Chain, Weighting};
use osculate_lab::text_table::Table;

use crate::contender::Contender;
use crate::paper::learning::{episode, episodes};
use crate::paper::{FEATURES, NOISE, STATES, Summary, by_seed};
use crate::rules::ours::{SPARSE, stored, streaming};
use crate::worlds::{NoisyStates, visits};

/// Rows per episode for independent states.
const TAU: usize = 5;
const RULES: [&str; 3] = ["paper, f32", "predictable, f32", "the same, c every 8th"];
const STREAMING: [&str; 5] =
    ["exact batch solution", "streaming, f64", "streaming, f32", "streaming, q28", "streaming, q24"];

/// `paper`, `predictable`, and `predictable` that measures the curvature in every 8th episode.
fn rules() -> [Contender; 3] {
    [StoredConfig::PAPER, StoredConfig::PREDICTABLE, SPARSE].map(stored::<f32, FEATURES, STATES>)
}

/// The relative errors by seed, over all of them.
fn summaries(names: &[&str], seeds: u64, run: impl Fn(u64) -> Vec<Vec<f64>> + Sync) -> Vec<Summary> {
    by_seed("comparing", seeds, names.iter().copied(), run).iter().map(|run| run.ends("relative error")).collect()
}

/// `PAPER` against `PREDICTABLE`: 5 independent rows per episode, target noise ±½, mean targets that are consistent or
/// not.
pub fn independent_rows(seeds: u64, count: u32, consistent: bool) -> Vec<Summary> {
    let world = if consistent { NoisyStates::consistent } else { NoisyStates::contradictory };
    summaries(&RULES, seeds, |seed| {
        let (world, mut dice) = (world(seed, STATES, FEATURES, NOISE), Dice::new(seed + 1_000));
        episodes(&mut rules(), &world.solution(), &[count], || episode(&world.draw(&mut dice, TAU)))
    })
}

/// `PAPER` against `PREDICTABLE` on random chains of 25 states with rewards in [0, 2).
pub fn chain(seeds: u64, count: u32, weighting: Weighting) -> Vec<Summary> {
    summaries(&RULES, seeds, |seed| {
        let (world, mut dice) = (Chain::new(seed, STATES, FEATURES), Dice::new(seed + 1_000));
        episodes(&mut rules(), &world.solution(weighting), &[count], || visits(&world, &mut dice))
    })
}

/// `Streaming` in four arithmetics against the exact solution for the same rows.
pub fn without_a_log(seeds: u64, count: u32, weighting: Weighting) -> Vec<Summary> {
    summaries(&STREAMING, seeds, |seed| {
        let (world, mut dice) = (Chain::new(seed, STATES, FEATURES), Dice::new(seed + 1_000));
        let solution = world.solution(weighting);
        let new: [fn(f64) -> _; 4] = [
            streaming::<f64, FEATURES>,
            streaming::<f32, FEATURES>,
            streaming::<Q28, FEATURES>,
            streaming::<Q24, FEATURES>,
        ];
        let (mut learners, mut rows) = (new.map(|new| new(Chain::GAMMA.into())), Vec::<Row>::new());
        let errors = episodes(&mut learners, &solution, &[count], || {
            let episode = visits(&world, &mut dice);
            rows.extend(episode.iter().filter(|step| step.first).map(|step| (step.phi.to_vec(), step.target)));
            episode
        });
        let exact = relative_error(scale_invariant(&rows).as_slice(), &solution);
        [vec![vec![exact]], errors].concat()
    })
}

/// Prints one table per comparison. The arithmetic is f32 unless stated otherwise.
pub fn run(seeds: u64, count: u32) {
    let print = |title: String, errors: Vec<Summary>| {
        let mut table = Table::new("lrrr", ["learner", "median", "least", "most"]);
        for one in errors {
            let numbers = [one.median, one.least, one.most].map(|error| format!("{error:.4}"));
            table.row([one.rule].into_iter().chain(numbers));
        }
        println!("{title}\n\n{}", table.text());
    };
    println!("Relative error |w - w*|/|w*|, 25 states, 10 features, seeds 0 to {}.\n", seeds.saturating_sub(1));
    for (consistent, name) in [(true, "agree with one w"), (false, "contradict each other")] {
        print(
            format!("5 independent rows per episode, target noise ±0.5, {count} episodes; mean targets {name}"),
            independent_rows(seeds, count, consistent),
        );
    }
    for (weighting, name) in NAMES {
        let rewards = "random chain, rewards in [0, 2), stop probability 0.1, gamma 0.9";
        print(format!("{rewards}, {count} episodes; w* {name}"), chain(seeds, count, weighting));
    }
    for (weighting, name) in NAMES {
        let title = format!("the same chains, 5000 episodes, without a log; w* {name}");
        print(title, without_a_log(seeds, 5_000, weighting));
    }
}

const NAMES: [(Weighting, &str); 2] = [
    (Weighting::Stationary, "weighs states by the stationary distribution, as the paper's does"),
    (Weighting::FirstVisits, "weighs states by how many episodes visit them"),
];
