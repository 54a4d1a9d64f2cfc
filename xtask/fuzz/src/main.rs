//! `cargo xtask fuzz`: its options and its output.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use anyhow::Result;
use clap::Parser;
use clap::builder::PossibleValuesParser;
use osculate_lab::waiting;
use xtask_fuzz::{ARITHMETICS, Report, SURFACES, Surface};

/// Feed arbitrary bit patterns to all that people call, and count what happens
#[derive(Parser)]
#[command(name = "cargo xtask fuzz")]
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
}

const PIECE: u64 = 100_000;

/// Prints the statistics; the first broken promise is an error.
fn main() -> Result<()> {
    let options = Options::parse();
    let is_wanted = |wanted: &[String], name| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let surfaces: Vec<_> = SURFACES.iter().filter(|surface| is_wanted(&options.surface, surface.name)).collect();
    let ariths: Vec<_> = (0..ARITHMETICS.len()).filter(|i| is_wanted(&options.arith, ARITHMETICS[*i])).collect();
    let calls = options.calls.div_ceil(surfaces.len() as u64);
    let runs: Vec<_> = surfaces.iter().flat_map(|surface| ariths.iter().map(move |arith| (*surface, *arith))).collect();

    println!("{calls} calls of each kind in each arithmetic, all of them with arbitrary bits");
    println!("{:<13} {:<10} {:>10}  what happened", "called", "in", "calls");
    let (current, done) = (AtomicUsize::new(0), AtomicU64::new(0));
    let total = calls * runs.len() as u64;
    let state = || {
        let (surface, arith) = runs[current.load(Ordering::Relaxed)];
        format!("{} in {}: {} of {total} calls", surface.name, ARITHMETICS[arith], done.load(Ordering::Relaxed))
    };
    waiting::showing(state, || {
        let mut all = Report::default();
        for (i, (surface, arith)) in runs.iter().enumerate() {
            current.store(i, Ordering::Relaxed);
            let report = pieces(surface, *arith, calls, options.seed, &done)?;
            waiting::print(&format!("{:<13} {:<10} {:>10}  {report}", surface.name, ARITHMETICS[*arith], report.calls));
            all += report;
        }
        println!("{} calls have kept every promise", all.calls);
        Ok(())
    })
}

/// All calls of a surface, in pieces with a seed each.
fn pieces(surface: &'static Surface, arith: usize, calls: u64, mut seed: u64, done: &AtomicU64) -> Result<Report> {
    let mut report = Report::default();
    while report.calls < calls {
        let piece = xtask_fuzz::run(surface, arith, seed, PIECE.min(calls - report.calls))?;
        done.fetch_add(piece.calls, Ordering::Relaxed);
        report += piece;
        seed += 1;
    }
    Ok(report)
}
