//! `cargo xtask dev compare`: rules, arithmetics and rivals against each other, on equal data.

mod control;
mod drift;
mod rules;

use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;

/// Compare rules and arithmetics on equal data, over many seeds
#[derive(Parser)]
#[command(name = "cargo xtask dev compare", bin_name = "cargo xtask dev compare")]
struct Options {
    /// Instead: `tracking` against tuned filters (NLMS, RLS, TD) in worlds that stay, drift or jump
    #[arg(long)]
    drift: bool,
    /// Instead: `tracking` without a model in mountain car, cart pole and a grid
    #[arg(long, conflicts_with = "drift")]
    control: bool,
    /// Worlds per comparison, with the seeds 0, 1, 2, … (from 100 with --control) [default: 20; with --drift 8, with --control 12]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: Option<u64>,
    /// Episodes per world, where rules with stored rows are compared
    #[arg(long, default_value_t = 10_000, conflicts_with_all = ["drift", "control"])]
    episodes: u32,
    /// Also write the numbers to this file
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
}

fn main() -> Result<()> {
    let Options { drift, control, seeds, episodes, json } = Options::parse();
    let numbers = match (drift, control) {
        (true, _) => drift::run(seeds.unwrap_or(8)),
        (_, true) => control::run(seeds.unwrap_or(12)),
        _ => rules::run(seeds.unwrap_or(20), episodes),
    };
    if let Some(path) = json {
        std::fs::write(path, serde_json::to_string_pretty(&numbers)? + "\n")?;
    }
    Ok(())
}
