//! Feeds arbitrary bits to the library, from a seed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Error, Result};
use clap::Parser;
use clap::builder::PossibleValuesParser;
use osculate_fuzz::{ARITHMETICS, Target, run, targets};
use osculate_lab::waiting;

/// Feed arbitrary bit patterns to all that people call, and count what happens
#[derive(Parser)]
#[command(name = "osculate-fuzz")]
struct Options {
    /// What to call; everything, if nothing is named
    #[arg(value_parser = PossibleValuesParser::new(targets().into_iter().map(|target| target.name)))]
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
}

/// A target and the index of an arithmetic.
type Run = (&'static Target, usize);

/// Prints the counts. The first broken promise is an error.
fn main() -> Result<()> {
    let options = Options::parse();
    let is_wanted = |wanted: &[String], name| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let targets: Vec<_> = targets().into_iter().filter(|target| is_wanted(&options.targets, target.name)).collect();
    let arithmetics = (0..ARITHMETICS.len()).filter(|i| is_wanted(&options.arithmetic, ARITHMETICS[*i]));
    let with_targets = |i| targets.iter().map(move |target| (*target, i));
    let mut runs: Vec<Run> = arithmetics.flat_map(with_targets).collect();
    let first = runs.first().map_or(0, |(_, first)| *first);
    // What has no arithmetic is called once.
    runs.retain(|(target, arithmetic)| target.is_in(*arithmetic) || *arithmetic == first);
    let calls = options.calls.div_ceil(targets.len() as u64);
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = |done: &AtomicUsize| {
        while let Some(&(target, arithmetic)) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let count = |calls| _ = done.fetch_add(calls as usize, Ordering::Relaxed);
            let result = run(target, arithmetic, options.seed, calls, count);
            match &result {
                Ok(report) if !options.brief => {
                    let (name, arithmetic) = (target.name, ARITHMETICS[arithmetic]);
                    waiting::print(&format!("{name:<11} {arithmetic:<4} {:>10}  {report}", report.calls));
                }
                Ok(_) => {}
                // There is no point in going on.
                Err(_) => next.store(runs.len(), Ordering::Relaxed),
            }
            results.lock().unwrap_or_else(PoisonError::into_inner).push(result);
        }
    };
    waiting::counting(calls as usize * runs.len(), "calls", |done| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(|| work(done))));
    });
    let mut all = 0;
    for result in results.into_inner().unwrap_or_else(PoisonError::into_inner) {
        all += result.map_err(Error::msg)?.calls;
    }
    println!("{all} calls have kept every promise");
    Ok(())
}
