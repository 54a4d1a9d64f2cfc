//! `cargo xtask rivals` runs this: the library's rules against those that an engineer would otherwise take.

mod numbers;
mod verdict;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Parser;
use osculate_host_tests::drift::Case;
use osculate_host_tests::jobs;
use osculate_host_tests::rivals::{self, Outcomes, Problem, Report, SEEDS, TUNING_SEEDS, Trial};

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
    let reports = compare(&problems, seeds);
    let (tables, spreads) = reports.split_at(shown);
    let print = if markdown { rivals::markdown } else { rivals::text };
    for report in tables {
        println!("{}", print(report));
    }
    verdict::costs(tables, markdown);
    verdict::print(tables);
    println!("\ntook {:.0} s", started.elapsed().as_secs_f64());
    if let Some(path) = json {
        let numbers = numbers::all(tables, spreads);
        std::fs::write(path, serde_json::to_string_pretty(&numbers)? + "\n")?;
    }
    Ok(())
}

/// Tunes on all cores, then compares on all cores.
fn compare(problems: &[Problem], seeds: u64) -> Vec<Report> {
    let pairs = |seeds: std::ops::Range<u64>| -> Vec<(usize, u64)> {
        (0..problems.len()).flat_map(|i| seeds.clone().map(move |seed| (i, seed))).collect()
    };
    let tuning = pairs(TUNING_SEEDS);
    eprintln!("tuning the rivals");
    let trials = jobs::all(&tuning, |(i, seed)| rivals::trial(problems[*i], *seed));
    let trials: Vec<&[Trial]> = trials.chunks(tuning.len() / problems.len()).collect();
    let chosen: Vec<Vec<usize>> =
        problems.iter().zip(&trials).map(|(problem, trials)| rivals::tune(*problem, trials)).collect();
    let showing = pairs(0..seeds);
    eprintln!("comparing on other seeds");
    let outcomes = jobs::all(&showing, |(i, seed)| rivals::show(problems[*i], &chosen[*i], *seed));
    let outcomes: Vec<&[Outcomes]> = outcomes.chunks(seeds as usize).collect();
    (0..problems.len()).map(|i| rivals::report(problems[i], trials[i], &chosen[i], outcomes[i])).collect()
}
