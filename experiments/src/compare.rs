//! Rules and arithmetics on equal data: the distance of each from w* after the same number of episodes.

use anyhow::Result;
use osculate::{Q24, Q28, StoredConfig};
use osculate_host_tests::reference::Row;
use osculate_host_tests::reference::closed_form::{relative_error, scale_invariant};
use osculate_host_tests::worlds::{Chain, Weighting};
use osculate_lab::dice::Dice;
use osculate_lab::numbers::median;
use osculate_lab::text_table::Table;
use serde::Serialize;
use serde_json::{Value, json};

use crate::contender::Contender;
use crate::jobs;
use crate::paper::learning::{episode, episodes, in_all};
use crate::rules::ARITHMETICS;
use crate::rules::ours::{SPARSE, stored, streaming};
use crate::worlds::{NoisyStates, visits};

const STATES: usize = 25;
const FEATURES: usize = 10;
/// Rows per episode for independent states.
const TAU: usize = 5;
const RULES: [&str; 3] = ["paper, f32", "predictable, f32", "the same, c every 8th"];
const STREAMING: [&str; 5] =
    ["exact batch solution", "streaming, f64", "streaming, f32", "streaming, q28", "streaming, q24"];

/// The relative errors of one learner.
#[derive(Clone, Debug, Serialize)]
pub struct Errors {
    learner: &'static str,
    /// One per seed.
    errors: Vec<f64>,
}

impl Errors {
    /// The median error.
    pub fn median(&self) -> f64 {
        median(self.errors.as_slice())
    }
}

/// The errors of learners by seed.
fn by_seed(names: &[&'static str], seeds: u64, run: impl Fn(u64) -> Vec<f64> + Sync) -> Vec<Errors> {
    let runs = jobs::all("comparing", &Vec::from_iter(0..seeds), |seed| run(*seed));
    let errors =
        |(i, learner): (usize, &&'static str)| Errors { learner, errors: runs.iter().map(|run| run[i]).collect() };
    names.iter().enumerate().map(errors).collect()
}

/// `paper`, `predictable`, and `predictable` that measures the curvature in every 8th episode.
fn rules() -> [Box<dyn Contender>; 3] {
    [StoredConfig::PAPER, StoredConfig::PREDICTABLE, SPARSE].map(stored::<f32, FEATURES, STATES>)
}

fn last(errors: Vec<Vec<f64>>) -> Vec<f64> {
    errors.iter().map(|errors| errors[errors.len() - 1]).collect()
}

/// `PAPER` against `PREDICTABLE`: 5 independent rows per episode, target noise ±½, mean targets that are consistent or
/// not.
pub fn independent_rows(seeds: u64, count: u32, consistent: bool) -> Vec<Errors> {
    let world = if consistent { NoisyStates::consistent } else { NoisyStates::contradictory };
    by_seed(&RULES, seeds, |seed| {
        let (world, mut dice) = (world(seed, STATES, FEATURES, 0.5), Dice::new(seed + 1_000));
        last(episodes(&mut rules(), &world.solution(), &[count], || episode(&world.draw(&mut dice, TAU))))
    })
}

/// `PAPER` against `PREDICTABLE` on random chains of 25 states with rewards in [0, 2).
pub fn chain(seeds: u64, count: u32, weighting: Weighting) -> Vec<Errors> {
    by_seed(&RULES, seeds, |seed| {
        let (world, mut dice) = (Chain::new(seed, STATES, FEATURES), Dice::new(seed + 1_000));
        last(episodes(&mut rules(), &world.solution(weighting), &[count], || visits(&world, &mut dice)))
    })
}

/// `Streaming` in four arithmetics against the exact solution for the same rows.
pub fn without_a_log(seeds: u64, count: u32, weighting: Weighting) -> Vec<Errors> {
    by_seed(&STREAMING, seeds, |seed| {
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
        [vec![exact], last(errors)].concat()
    })
}

/// The paper's rule in four arithmetics on one noisy world (τ uniform in 1..=25, noise ±½): the errors of w after each
/// number of episodes.
pub fn noisy_paper(seed: u64, counts: &[u32]) -> Vec<Vec<f64>> {
    let (world, mut dice) = (NoisyStates::consistent(seed, STATES, FEATURES, 0.5), Dice::new(seed + 1_000));
    episodes(&mut in_all::<FEATURES, STATES>(StoredConfig::PAPER), &world.solution(), counts, || {
        let tau = 1 + dice.below(STATES as u32) as usize;
        episode(&world.draw(&mut dice, tau))
    })
}

/// Prints one table per comparison, and returns their numbers. The arithmetic is f32 unless stated otherwise.
///
/// # Errors
/// None.
pub fn run(seeds: u64, count: u32) -> Result<Value> {
    let mut numbers = Vec::new();
    let mut print = |title: String, errors: Vec<Errors>| {
        let mut table = Table::new("lrrr", ["learner", "median", "least", "most"]);
        for one in &errors {
            let (least, most) = one.errors.iter().fold((f64::MAX, 0.0_f64), |(a, b), &e| (a.min(e), b.max(e)));
            let [median, least, most] = [one.median(), least, most].map(|error| format!("{error:.4}"));
            table.row([one.learner, &median, &least, &most]);
        }
        println!("{title}\n\n{}", table.text());
        numbers.push(json!({ "world": title, "learners": errors }));
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
    println!("the paper's rule, 1 to 25 rows per episode, noise ±0.5, seed 3, after 10^2, 10^3, 10^4, 10^5 episodes");
    let noisy = noisy_paper(3, &[100, 1_000, 10_000, 100_000]);
    for (arithmetic, errors) in ARITHMETICS.iter().zip(&noisy) {
        println!("  {arithmetic}  {errors:.4?}");
    }
    Ok(json!({ "comparisons": numbers, "the paper's rule, noisy": noisy }))
}

const NAMES: [(Weighting, &str); 2] = [
    (Weighting::Stationary, "weighs states by the stationary distribution, as the paper's does"),
    (Weighting::FirstVisits, "weighs states by how many episodes visit them"),
];
