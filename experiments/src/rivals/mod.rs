//! The rules of the library against the rules that an engineer would otherwise take, on the same episodes.

mod pictures;
mod room;
mod tables;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use osculate_lab::drawing::{self, picture};
use osculate_lab::repository::repository;
use serde_json::json;

use self::room::Costs;
use self::tables::{against_least_squares, costs, losses, told};
use crate::rules;
use crate::tuning::{self, Report, Roster, TUNING_SEEDS, Task};
use crate::worlds::{Case, Problem};

/// How many seeds the tables come from, unless told otherwise.
const SEEDS: u64 = 40;

/// What is compared, and where the results go.
#[derive(Args)]
pub(crate) struct Options {
    /// The tables come from the seeds 0, 1, 2, …; rivals are tuned on others
    #[arg(long, default_value_t = SEEDS, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Only tables of problems with this in their names, and no pictures
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Print tables for a document
    #[arg(long)]
    markdown: bool,
    /// Also write the numbers to this file
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
    /// The folder for the pictures [default: target/rivals]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Measures, prints and draws.
pub(crate) fn run(options: &Options) -> Result<()> {
    let Options { seeds, only, markdown, json, out } = options;
    let started = Instant::now();
    let wanted = |problem: &Problem| only.as_ref().is_none_or(|part| problem.name.contains(part.as_str()));
    let mut problems: Vec<Problem> = Problem::all().into_iter().filter(wanted).collect();
    let shown = problems.len();
    if only.is_none() {
        // For the picture of equations in any units.
        problems.extend([0.0, 1.0, 2.0].map(|spread| Problem::rows(Case::Stationary).equations(spread)));
    }
    let reports = compare(&problems, *seeds);
    let (tables, spreads) = reports.split_at(shown);
    for report in tables {
        println!("{}", told(report, *markdown));
    }
    print!("{}{}{}", costs(tables, *markdown), against_least_squares(tables), losses(tables));
    println!("\ntook {:.0} s", started.elapsed().as_secs_f64());
    if let Some(path) = json {
        let numbers = json!({ "tuning_seeds": Vec::from_iter(TUNING_SEEDS), "problems": tables, "spreads": spreads });
        let text = serde_json::to_string_pretty(&numbers)? + "\n";
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if only.is_some() {
        return Ok(());
    }
    let room = Costs::measure()?;
    println!("{}", room.told(*markdown));
    let folder = out.clone().unwrap_or_else(|| repository().join("target").join("rivals"));
    for (name, title, panels) in pictures::all(tables, spreads, &room) {
        println!("picture:  {}", drawing::write(&picture(Some(title), &panels), &folder, name)?.display());
    }
    Ok(())
}

fn tasks(problems: &[Problem]) -> Vec<Task> {
    problems.iter().map(|problem| (problem.clone(), rules::all as Roster)).collect()
}

/// The tables of problems, from the seeds 0, 1, 2, …, with rivals that are tuned.
fn compare(problems: &[Problem], seeds: u64) -> Vec<Report> {
    tuning::compare(&tasks(problems), seeds)
}
