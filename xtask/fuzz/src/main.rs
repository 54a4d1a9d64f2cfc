//! `cargo xtask dev fuzz`: its options and its output.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result};
use clap::Parser;
use clap::builder::PossibleValuesParser;
use osculate_lab::survival::Tally;
use osculate_lab::waiting;
use xtask_fuzz::{ARITHMETICS, Broken, Report, SURFACES, Surface};

/// Feed arbitrary bit patterns to all that people call, and count what happens
#[derive(Parser)]
#[command(name = "cargo xtask dev fuzz")]
struct Options {
    /// An arithmetic; all of them, if none is named
    #[arg(long, value_parser = PossibleValuesParser::new(ARITHMETICS))]
    arith: Vec<String>,
    /// What to call; everything, if nothing is named
    #[arg(long, value_parser = PossibleValuesParser::new(SURFACES.iter().map(|surface| surface.name)))]
    surface: Vec<String>,
    /// Calls per arithmetic, shared by what is called
    #[arg(long, default_value_t = 10_000_000)]
    calls: u64,
    /// The first seed; every 100 000 calls take the next one
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print only how far it is, and the end
    #[arg(long)]
    brief: bool,
    /// Also write the counts to a file, per arithmetic: a list of {"promise", "tries", "failures"}
    #[arg(long)]
    json: Option<PathBuf>,
}

const PIECE: u64 = 100_000;

/// A surface and the index of an arithmetic.
type Run = (&'static Surface, usize);

/// Prints the counts. The first broken promise is an error.
fn main() -> Result<()> {
    let options = Options::parse();
    let is_wanted = |wanted: &[String], name| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let surfaces: Vec<_> = SURFACES.iter().filter(|surface| is_wanted(&options.surface, surface.name)).collect();
    let ariths: Vec<_> = (0..ARITHMETICS.len()).filter(|i| is_wanted(&options.arith, ARITHMETICS[*i])).collect();
    let calls = options.calls.div_ceil(surfaces.len() as u64);
    let runs: Vec<Run> =
        surfaces.iter().flat_map(|surface| ariths.iter().map(move |arith| (*surface, *arith))).collect();

    println!("{calls} calls of each kind in each arithmetic, all of them with arbitrary bits");
    if !options.brief {
        println!("{:<13} {:<10} {:>10}  what happened", "called", "in", "calls");
    }
    let (next, done) = (AtomicUsize::new(0), AtomicU64::new(0));
    let total = calls * runs.len() as u64;
    let state = || format!("{} of {total} calls", done.load(Ordering::Relaxed));
    let reports = Mutex::new(Vec::new());
    let work = || {
        while let Some(&(surface, arith)) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let report = pieces(surface, arith, calls, options.seed, &done);
            match &report {
                Ok(_) if options.brief => {}
                Ok(report) => {
                    let (surface, arith) = (surface.name, ARITHMETICS[arith]);
                    waiting::print(&format!("{surface:<13} {arith:<10} {:>10}  {report}", report.calls));
                }
                // There is no point in going on.
                Err(_) => next.store(runs.len(), Ordering::Relaxed),
            }
            reports.lock().unwrap_or_else(PoisonError::into_inner).push((arith, report));
        }
    };
    waiting::showing(state, || {
        thread::scope(|scope| {
            (0..thread::available_parallelism().map_or(1, usize::from)).for_each(|_| _ = scope.spawn(work))
        });
    });
    let reports = reports.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = &options.json {
        let text = serde_json::to_string_pretty(&tallies(&reports))?;
        fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let mut all = Report::default();
    for (_, report) in reports {
        all += report?;
    }
    println!("{} calls have kept every promise", all.calls);
    Ok(())
}

/// A tally for each arithmetic.
fn tallies(reports: &[(usize, Result<Report, Broken>)]) -> Vec<Tally> {
    let tally = |(index, promise)| {
        let mut tally = Tally::new(promise);
        for (_, report) in reports.iter().filter(|(arith, _)| *arith == index) {
            match report {
                Ok(report) => tally.tries += report.calls,
                Err(broken) => {
                    tally.tries += broken.call;
                    tally.failures += 1;
                }
            }
        }
        tally
    };
    PROMISES.into_iter().enumerate().map(tally).filter(|tally| tally.tries > 0).collect()
}

/// One for each of [`ARITHMETICS`].
const PROMISES: [&str; ARITHMETICS.len()] = [
    "arbitrary bits do no harm in f32",
    "arbitrary bits do no harm in f64",
    "arbitrary bits do no harm in q28",
    "arbitrary bits do no harm in q24",
];

/// All calls of a surface, in pieces with a seed each.
fn pieces(
    surface: &'static Surface,
    arith: usize,
    calls: u64,
    mut seed: u64,
    done: &AtomicU64,
) -> Result<Report, Broken> {
    let mut report = Report::default();
    while report.calls < calls {
        let piece = xtask_fuzz::run(surface, arith, seed, PIECE.min(calls - report.calls))?;
        done.fetch_add(piece.calls, Ordering::Relaxed);
        report += piece;
        seed += 1;
    }
    Ok(report)
}
