//! What the rules reach: the paper's figures, tuned rivals, worlds that drift, and control, all with one kind of contender
//! and on data from explicit seeds. `cargo xtask paper`, `cargo xtask rivals` and `cargo xtask dev compare` run this.
//!
//! What proves a release but not a change runs with `OSCULATE_ALL=1`, which `cargo xtask test --all` sets: the documents'
//! tables, all of their seeds and problems. To accept a change there:
//! `UPDATE_DOCS=1 OSCULATE_ALL=1 cargo test -p osculate-experiments`.

mod compare;
mod contender;
mod control;
mod curves;
mod drift;
mod equations;
mod paper;
mod rivals;
mod rules;
mod tuning;
mod worlds;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

/// What the rules reach
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Subcommand)]
enum Experiment {
    /// Run every experiment of the paper, and write its figures, their numbers, and a page that shows them
    Paper(paper::Options),
    /// Compare the rules with tuned rivals on the same problems: errors, multiply-accumulates, memory, and pictures
    Rivals(rivals::Options),
    /// Compare rules and arithmetics on equal data, over many seeds
    #[command(bin_name = "cargo xtask dev compare")]
    Compare(Compare),
}

#[derive(Args)]
struct Compare {
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
}

fn main() -> Result<()> {
    match Arguments::parse().experiment {
        Experiment::Paper(options) => paper::run(&options)?,
        Experiment::Rivals(options) => rivals::run(&options)?,
        Experiment::Compare(Compare { drift: true, seeds, .. }) => drift::run(seeds.unwrap_or(8)),
        Experiment::Compare(Compare { control: true, seeds, .. }) => control::run(seeds.unwrap_or(12)),
        Experiment::Compare(Compare { seeds, episodes, .. }) => compare::run(seeds.unwrap_or(20), episodes),
    }
    Ok(())
}
