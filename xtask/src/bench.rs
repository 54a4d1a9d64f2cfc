//! `cargo xtask bench`: the cost of the learner on each board.

use std::fs;
use std::io::{IsTerminal, Write, stderr};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;
use osculate_lab::bench::report::{Record, Report};
use osculate_lab::bench::sizes::SIZES;
use osculate_lab::bench::{cycles, device, host, size};
use osculate_lab::boards::Board;
use osculate_lab::firmware::{self, OptLevel};
use osculate_lab::toolchain::ambient;

use crate::{check, repository, setup};

/// The arithmetics that have a bench firmware.
const ARITHMETICS: [&str; 2] = ["f32", "q28"];
/// The board whose core the cycle model covers.
const MODELLED: &str = "mps2-an386";

/// What to measure, and what to do with it.
#[derive(Args)]
pub(crate) struct Options {
    /// A board of firmware/boards.toml; all of them, if none is named
    #[arg(long)]
    board: Vec<String>,
    /// f32 or q28; both, if none is named
    #[arg(long)]
    arith: Vec<String>,
    #[arg(long, value_parser = size, help = format!("Numbers of features, of {}; all of them, if none is named", sizes()))]
    n: Vec<u32>,
    /// Leave out what takes long: the cycles of the M4 by a model, and the sizes
    #[arg(long)]
    quick: bool,
    /// Print the README's table at the end
    #[arg(long)]
    markdown: bool,
    /// Count an update on this machine instead, with valgrind
    #[arg(long)]
    host: bool,
    /// Write everything to this file, too
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
    /// Show what has changed since a file that `--json` wrote
    #[arg(long, value_name = "BASE.json")]
    compare: Option<PathBuf>,
}

/// The numbers of features that can be measured, for display.
fn sizes() -> String {
    SIZES.map(|size| size.to_string()).join(", ")
}

fn size(text: &str) -> Result<u32, String> {
    let known = |size: &u32| SIZES.contains(size);
    text.parse().ok().filter(known).ok_or_else(|| format!("the bench measures {} features", sizes()))
}

/// Counts, prints, and writes.
pub(crate) fn run(options: &Options) -> Result<()> {
    if options.host {
        return run_on_host();
    }
    let base = match &options.compare {
        None => None,
        Some(path) => {
            let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            Some(Report::parse(&text).with_context(|| path.display().to_string())?)
        }
    };
    let boards = match options.board.as_slice() {
        [] => Board::cores().collect(),
        names => names.iter().map(|name| Board::named(name)).collect::<Result<Vec<_>>>()?,
    };
    let all: Vec<_> = ARITHMETICS.iter().map(|arith| (*arith).to_owned()).collect();
    let ariths = if options.arith.is_empty() { &all } else { &options.arith };
    for arith in ariths {
        ensure!(all.contains(arith), "there is no bench in `{arith}`; there are {}", ARITHMETICS.join(", "));
    }
    setup::ensure()?;

    println!("instructions as QEMU counts them, exact and the same every time; cycles of an M4 by a model, see docs");
    println!(
        "pass1: norm, residual and accumulation of 32 rows, 3n MAC each; pass1_cached: without the norm, as in an update"
    );
    println!("pass2: the curvature's pass, 2n MAC a row; update, episode: all of it; stream_*: without a log\n");
    println!("{}", Record::HEADER);
    let mut report = Report::default();
    for board in &boards {
        for arith in ariths {
            measure(board, arith, options, &mut report)?;
        }
    }
    conclude(&report);
    if options.markdown {
        print!("\n{}", report.markdown());
    }
    if let Some(base) = base {
        print!(
            "\nsince {}:\n{}",
            options.compare.as_deref().unwrap_or(&PathBuf::new()).display(),
            report.compare(&base)
        );
    }
    if let Some(path) = &options.json {
        fs::write(path, report.json()?).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Counts one update per arithmetic on this machine.
fn run_on_host() -> Result<()> {
    let folder = repository();
    let mut cargo = ambient("cargo");
    cargo.current_dir(&folder).args(["build", "--quiet", "--package", "osculate-host-tests", "--example", "update"]);
    cargo.arg("--target-dir").arg(folder.join("target"));
    check::run("building the example `update`", &mut cargo)?;
    println!("instructions of one update on this machine, n = 32, tau = 32, by callgrind");
    for arith in ["f32", "q28", "f64"] {
        let instructions = host::count(&folder.join("target/debug/examples/update"), arith)?;
        println!("{arith}: {instructions}, {:.3} per MAC", instructions as f64 / f64::from(4 * 32 * 32));
    }
    Ok(())
}

fn measure(board: &Board, arith: &str, options: &Options, report: &mut Report) -> Result<()> {
    progress(&format!("building the bench in {arith} for {}", board.name));
    let elf = firmware::build(board, &format!("bench_{arith}"), &["bench"])?;
    progress(&format!("counting on {}", board.name));
    let modelled = board.name == MODELLED && !options.quick;
    let cycles = if modelled { cycles::model(board, &elf, &options.n)? } else { Vec::new() };
    let counts = device::run(board, &elf, &options.n, |_| ())?;
    progress("");
    for (i, count) in counts.into_iter().enumerate() {
        let mut record = Record::new(&board.name, arith, &count);
        record.model_cycles = cycles.get(i).map(|(_, cycles)| *cycles);
        println!("{}", record.line());
        report.counts.push(record);
    }
    if !options.quick {
        for opt_level in [OptLevel::Fast, OptLevel::Small] {
            progress(&format!("building for size: {arith}, opt-level {}", opt_level.name()));
            report.sizes.push(size::measure(board, arith, opt_level)?);
        }
        progress("");
    }
    Ok(())
}

fn conclude(report: &Report) {
    if !report.sizes.is_empty() {
        println!(
            "\nflash: what SIM, n = 16, tau = 32, adds to a binary; RAM: a learner with n = 8, tau = 32 stored rows"
        );
        println!("board       arith opt  flash static  with a log   streaming    tracking");
    }
    for s in &report.sizes {
        println!(
            "{:<11} {:<5} {:>3} {:>6} {:>6} {:>11} {:>11} {:>11}",
            s.board, s.arith, s.opt_level, s.flash, s.static_ram, s.stored, s.streaming, s.tracking
        );
    }
    let fits = report.fits();
    if !fits.is_empty() {
        println!("\ncosts as straight lines: constant + slope · n (tau = 32), and constant + slope · tau");
    }
    for fit in fits {
        println!(
            "{:<40} {:>8.0} + {:>8.1} · {:<4} worst deviation {:>5.1} %",
            fit.title,
            fit.constant,
            fit.slope,
            fit.variable,
            fit.worst * 100.0
        );
    }
}

/// A progress line that is overwritten in place, shown only on a terminal.
fn progress(text: &str) {
    if stderr().is_terminal() {
        eprint!("\r\x1b[K{text}");
        // A progress line that cannot be shown is not worth an error.
        _ = stderr().flush();
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::SIZES;
    use crate::Arguments;

    #[test]
    fn a_size_that_is_not_measured_is_refused_with_those_that_are() {
        let parsed = |n: &str| Arguments::try_parse_from(["cargo xtask", "bench", "--n", n]);
        for n in ["7", "20", "0", "x"] {
            let error = parsed(n).err().expect(n).to_string();
            assert!(error.contains("8, 10, 16, 30, 32, 64, 128"), "{error}");
        }
        assert!(SIZES.iter().all(|size| parsed(&size.to_string()).is_ok()));
    }
}
