//! `cargo xtask compare`: the rules and arithmetics against each other, on equal data.

use clap::Parser;
use osculate_host_tests::compare;
use osculate_host_tests::worlds::Weighting;

/// Compare rules and arithmetics on equal data: the distance to the solution, over many seeds
#[derive(Parser)]
#[command(name = "cargo xtask compare", bin_name = "cargo xtask compare")]
struct Options {
    /// Worlds per comparison, with the seeds 0, 1, 2, …
    #[arg(long, default_value_t = 20)]
    seeds: u64,
    /// Episodes per world, where rules with stored rows are compared
    #[arg(long, default_value_t = 10_000)]
    episodes: u32,
}

/// Prints one table per comparison. The arithmetic is f32 unless stated otherwise.
fn main() {
    let Options { seeds, episodes } = Options::parse();
    println!("Relative error |w - w*|/|w*|, 25 states, 10 features, seeds 0 to {}.\n", seeds.saturating_sub(1));
    for (consistent, name) in [(true, "agree with one w"), (false, "contradict each other")] {
        println!("5 independent rows per episode, target noise ±0.5, {episodes} episodes; mean targets {name}");
        for errors in compare::independent_rows(seeds, episodes, consistent) {
            println!("  {errors}");
        }
    }
    for (weighting, name) in NAMES {
        println!("\nrandom chain, rewards in [0, 2), stop probability 0.1, gamma 0.9, {episodes} episodes; w* {name}");
        for errors in compare::chain(seeds, episodes, weighting) {
            println!("  {errors}");
        }
    }
    for (weighting, name) in NAMES {
        println!("\nthe same chains, 5000 episodes, without a log; w* {name}");
        for errors in compare::streaming(seeds, 5_000, weighting) {
            println!("  {errors}");
        }
    }
    println!("\nthe paper's rule, 1 to 25 rows per episode, noise ±0.5, seed 3, after 10^2, 10^3, 10^4, 10^5 episodes");
    for (arithmetic, errors) in compare::noisy_paper(3, &[100, 1_000, 10_000, 100_000]) {
        println!("  {arithmetic}  {errors:.4?}");
    }
}

const NAMES: [(Weighting, &str); 2] = [
    (Weighting::Stationary, "weighs states by the stationary distribution, as the paper's does"),
    (Weighting::FirstVisits, "weighs states by how many episodes visit them"),
];
