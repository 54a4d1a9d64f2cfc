//! Runs the experiments of the paper and writes their figures as JSON; `cargo xtask paper` draws them. How far it is goes
//! to the standard output, in lines such as `12 of 340`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use clap::Parser;
use osculate_host_tests::paper::{Experiment, Size, experiments, run};

/// Run the experiments of the paper
#[derive(Parser)]
struct Options {
    /// The file for the figures
    #[arg(long, value_name = "FILE")]
    json: PathBuf,
    /// Fewer seeds and shorter runs
    #[arg(long)]
    quick: bool,
}

fn main() -> Result<()> {
    let Options { json, quick } = Options::parse();
    let experiments = experiments(if quick { Size::QUICK } else { Size::FULL });
    let jobs: usize = experiments.iter().map(Experiment::jobs).sum();
    println!("0 of {jobs}");
    let done = AtomicUsize::new(0);
    let figures = run(experiments, || println!("{} of {jobs}", done.fetch_add(1, Ordering::Relaxed) + 1));
    std::fs::write(&json, serde_json::to_string(&figures)?).with_context(|| format!("cannot write {}", json.display()))
}
