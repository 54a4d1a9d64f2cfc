//! Rules and arithmetics, by their distance to the solution.

use osculate_host_tests::compare::{self, Errors};
use osculate_host_tests::worlds::Weighting;
use serde_json::{Value, json};

/// Prints one table per comparison, and returns their numbers. The arithmetic is f32 unless stated otherwise.
pub(crate) fn run(seeds: u64, episodes: u32) -> Value {
    let mut numbers = Vec::new();
    let mut print = |title: String, errors: &[Errors]| {
        println!("{title}");
        for errors in errors {
            println!("  {errors}");
            numbers.push(json!({ "world": title.trim(), "learner": errors.name, "errors": errors.errors }));
        }
    };
    println!("Relative error |w - w*|/|w*|, 25 states, 10 features, seeds 0 to {}.\n", seeds.saturating_sub(1));
    for (consistent, name) in [(true, "agree with one w"), (false, "contradict each other")] {
        print(
            format!("5 independent rows per episode, target noise ±0.5, {episodes} episodes; mean targets {name}"),
            &compare::independent_rows(seeds, episodes, consistent),
        );
    }
    for (weighting, name) in NAMES {
        let rewards = "random chain, rewards in [0, 2), stop probability 0.1, gamma 0.9";
        print(format!("\n{rewards}, {episodes} episodes; w* {name}"), &compare::chain(seeds, episodes, weighting));
    }
    for (weighting, name) in NAMES {
        print(
            format!("\nthe same chains, 5000 episodes, without a log; w* {name}"),
            &compare::streaming(seeds, 5_000, weighting),
        );
    }
    println!("\nthe paper's rule, 1 to 25 rows per episode, noise ±0.5, seed 3, after 10^2, 10^3, 10^4, 10^5 episodes");
    for (arithmetic, errors) in compare::noisy_paper(3, &[100, 1_000, 10_000, 100_000]) {
        println!("  {arithmetic}  {errors:.4?}");
        numbers.push(json!({ "world": "the paper's rule, noisy", "learner": arithmetic, "errors": errors }));
    }
    Value::Array(numbers)
}

const NAMES: [(Weighting, &str); 2] = [
    (Weighting::Stationary, "weighs states by the stationary distribution, as the paper's does"),
    (Weighting::FirstVisits, "weighs states by how many episodes visit them"),
];
