//! `cargo xtask rivals` runs this: the library's rules against those that an engineer would otherwise take.

mod numbers;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Parser;
use osculate_host_tests::drift::Case;
use osculate_host_tests::rivals::{self, Problem, SEEDS};

/// Compare the rules with tuned rivals on the same problems
#[derive(Parser)]
#[command(name = "cargo xtask rivals", bin_name = "cargo xtask rivals")]
struct Options {
    /// The tables come from the seeds 0, 1, 2, …; rivals are tuned on others
    #[arg(long, default_value_t = SEEDS, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Only problems with this in their names
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Print tables for a document
    #[arg(long)]
    markdown: bool,
    /// Also write the numbers to this file
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
}

fn main() -> Result<()> {
    let Options { seeds, only, markdown, json } = Options::parse();
    let started = Instant::now();
    let wanted = |problem: &Problem| only.as_ref().is_none_or(|part| problem.name.contains(part.as_str()));
    let mut problems: Vec<Problem> = Problem::all().into_iter().filter(wanted).collect();
    let shown = problems.len();
    if only.is_none() {
        // For the picture of equations in any units.
        problems.extend([0.0, 1.0, 2.0].map(|spread| Problem::rows(Case::Stationary).equations(spread)));
    }
    let reports = rivals::compare(&problems, seeds);
    let (tables, spreads) = reports.split_at(shown);
    let print = if markdown { rivals::markdown } else { rivals::text };
    for report in tables {
        println!("{}", print(report));
    }
    print!("{}", rivals::costs(tables, markdown));
    print!("{}", rivals::against_least_squares(tables));
    print!("{}", rivals::losses(tables));
    println!("\ntook {:.0} s", started.elapsed().as_secs_f64());
    if let Some(path) = json {
        let numbers = numbers::all(tables, spreads);
        std::fs::write(path, serde_json::to_string_pretty(&numbers)? + "\n")?;
    }
    Ok(())
}
