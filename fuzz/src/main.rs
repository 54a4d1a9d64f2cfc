//! Feeds arbitrary bits to the library, from a seed.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};
use clap::Parser;
use clap::builder::PossibleValuesParser;
use osculate_fuzz::{ARITHMETICS, Report, TARGETS, Target, run};
use osculate_lab::tally::Tally;
use osculate_lab::waiting;

/// Feed arbitrary bit patterns to all that people call, and count what happens
#[derive(Parser)]
#[command(name = "osculate-fuzz")]
struct Options {
    /// What to call; everything, if nothing is named
    #[arg(value_parser = PossibleValuesParser::new(TARGETS.iter().map(|target| target.name)))]
    targets: Vec<String>,
    /// An arithmetic; all of them, if none is named
    #[arg(long, value_parser = PossibleValuesParser::new(ARITHMETICS))]
    arithmetic: Vec<String>,
    /// Calls per arithmetic, shared by the targets
    #[arg(long, default_value_t = 10_000_000)]
    calls: u64,
    /// The first seed; every life takes the next one
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print only how far it is, and the end
    #[arg(long)]
    brief: bool,
    /// Also write the counts to a file, per arithmetic: a list of {"promise", "tries", "failures"}
    #[arg(long)]
    json: Option<PathBuf>,
}

/// A target and the index of an arithmetic.
type Run = (&'static Target, usize);

/// Prints the counts. The first broken promise is an error.
fn main() -> Result<()> {
    let options = Options::parse();
    let is_wanted = |wanted: &[String], name| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let targets: Vec<_> = TARGETS.iter().filter(|target| is_wanted(&options.targets, target.name)).collect();
    let arithmetics = (0..ARITHMETICS.len()).filter(|i| is_wanted(&options.arithmetic, ARITHMETICS[*i]));
    let with_targets = |i| targets.iter().map(move |target| (*target, i));
    let mut runs: Vec<Run> = arithmetics.flat_map(with_targets).collect();
    let first = runs.first().map_or(0, |(_, first)| *first);
    // What has no arithmetic is called once.
    runs.retain(|(target, arithmetic)| target.is_in(*arithmetic) || *arithmetic == first);
    let calls = options.calls.div_ceil(targets.len() as u64);
    let (next, done, total) = (AtomicUsize::new(0), AtomicU64::new(0), calls * runs.len() as u64);
    let results = Mutex::new(Vec::new());
    let work = || {
        while let Some(&(target, arithmetic)) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result =
                run(target, arithmetic, options.seed, calls, |calls| _ = done.fetch_add(calls, Ordering::Relaxed));
            match &result {
                Ok(report) if !options.brief => {
                    let (name, arithmetic) = (target.name, ARITHMETICS[arithmetic]);
                    waiting::print(&format!("{name:<11} {arithmetic:<4} {:>10}  {report}", report.calls));
                }
                Ok(_) => {}
                // There is no point in going on.
                Err(_) => next.store(runs.len(), Ordering::Relaxed),
            }
            results.lock().unwrap_or_else(PoisonError::into_inner).push((arithmetic, result));
        }
    };
    let state = || format!("{} of {total} calls", done.load(Ordering::Relaxed));
    waiting::showing(state, || {
        thread::scope(|scope| {
            (0..thread::available_parallelism().map_or(1, usize::from)).for_each(|_| _ = scope.spawn(work))
        });
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = &options.json {
        let text = serde_json::to_string_pretty(&tallies(&results))?;
        fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let mut all = 0;
    for (_, result) in results {
        match result {
            Ok(report) => all += report.calls,
            Err(broken) => bail!(broken),
        }
    }
    println!("{all} calls have kept every promise");
    Ok(())
}

/// One for each of [`ARITHMETICS`].
const PROMISES: [&str; ARITHMETICS.len()] = [
    "arbitrary bits do no harm in f32",
    "arbitrary bits do no harm in f64",
    "arbitrary bits do no harm in q28",
    "arbitrary bits do no harm in q24",
];

/// A tally for each arithmetic.
fn tallies(results: &[(usize, Result<Report, String>)]) -> Vec<Tally> {
    let mut tallies = PROMISES.map(Tally::new);
    for (arithmetic, result) in results {
        let tally = &mut tallies[*arithmetic];
        match result {
            Ok(report) => tally.tries += report.calls,
            Err(broken) => tally.count(Err(broken.clone())),
        }
    }
    tallies.into_iter().filter(|tally| tally.tries > 0).collect()
}
