//! `cargo xtask compare`: rules, arithmetics and rivals against each other, on equal data.

mod drift;
mod jobs;
mod rules;

use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;

/// Compare rules and arithmetics on equal data, over many seeds
#[derive(Parser)]
#[command(name = "cargo xtask compare", bin_name = "cargo xtask compare")]
struct Options {
    /// Instead: `tracking` against tuned filters (NLMS, RLS, TD) in worlds that stay, drift or jump
    #[arg(long)]
    drift: bool,
    /// Worlds per comparison, with the seeds 0, 1, 2, … [default: 20; with --drift 8]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: Option<u64>,
    /// Episodes per world, where rules with stored rows are compared
    #[arg(long, default_value_t = 10_000, conflicts_with = "drift")]
    episodes: u32,
    /// Also write the numbers to this file
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
}

fn main() -> Result<()> {
    let Options { drift, seeds, episodes, json } = Options::parse();
    let numbers = if drift { drift::run(seeds.unwrap_or(8)) } else { rules::run(seeds.unwrap_or(20), episodes) };
    if let Some(path) = json {
        std::fs::write(path, serde_json::to_string_pretty(&numbers)? + "\n")?;
    }
    Ok(())
}
