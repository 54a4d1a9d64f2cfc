//! `cargo xtask dev bench`: the cost of the learners on each core.

use std::fs;

use anyhow::{Result, ensure};
use clap::Args;
use osculate_lab::bench::page::page;
use osculate_lab::bench::report::Report;
use osculate_lab::bench::timing::Core;
use osculate_lab::bench::{MEASURED, OFTEN, SIZES, Scope};
use osculate_lab::boards::Board;
use osculate_lab::waiting;

use crate::{repository, setup};

/// What is counted.
const PARTS: &str = "\
Parts, each counted in instructions as QEMU executes them, exact and the same every time:
  pass1          ‖φ‖², residual and accumulation of 32 rows; pass1_cached: without ‖φ‖², as an update runs it
  pass2          the pass of the curvature
  update         a whole update, far from the solution; update_odd: of 31 rows
  pass1_near     pass1_cached near the solution: consistent targets, residuals of a few 2^-20; so is update_near
  naive_pass1    what pass1 does, in plain Rust without this library
  episode        32 steps with a log, their returns, and the update
  plain_row      one row through a log: encoded, closed, learned from
  stream_step    a sample of a streaming learner; stream_end: the end of its episode
  track_row      16 samples of a tracking learner, rows with targets, and one check of its gain
  track_predict  the same with a prediction for each sample; track_step: also with a trace
  …_raw          with features in the arithmetic's own numbers instead of f32
Cycles of the M0, M3 and M4 are a model's: see docs/performance.md. No chip was measured.";

/// Count the instructions of the learner on the boards
#[derive(Args)]
#[command(after_help = PARTS)]
pub(crate) struct Options {
    /// A board of firmware/boards.toml; the M4F and the M0, if none is named
    #[arg(long)]
    board: Vec<String>,
    /// f32 or q28; both, if none is named, but f32 only on cores with an FPU
    #[arg(long, value_parser = ["f32", "q28"])]
    arith: Option<String>,
    /// Numbers of features: 8, 10, 16, 64; all, if none is named
    #[arg(long, value_parser = size)]
    n: Vec<u32>,
    /// Leave out what takes long: cycles by the model, flash and RAM
    #[arg(long)]
    quick: bool,
    /// Print docs/measurements.md, from the budget, and measure nothing
    #[arg(long)]
    markdown: bool,
}

fn size(text: &str) -> Result<u32, String> {
    let known = |size: &u32| SIZES.contains(size);
    text.parse().ok().filter(known).ok_or_else(|| format!("the bench measures {SIZES:?} features"))
}

impl Options {
    /// The boards and arithmetics to measure.
    fn selected(&self) -> Result<Vec<(&'static Board, &'static str)>> {
        let named = self.board.iter().map(|name| Board::named(name)).collect::<Result<Vec<_>>>()?;
        let named = named.into_iter().flat_map(|board| ["f32", "q28"].map(|arith| (board, arith)));
        let usual = MEASURED.into_iter().take(OFTEN).filter(|_| self.board.is_empty());
        let usual = usual.filter_map(|(name, arith)| Some((Board::named(name).ok()?, arith)));
        let is_wanted = |(board, arith): &(&Board, &str)| match &self.arith {
            Some(wanted) => wanted == arith,
            None => *arith != "f32" || has_fpu(board),
        };
        Ok(named.chain(usual).filter(is_wanted).collect())
    }
}

/// Whether floats are computed by hardware.
fn has_fpu(board: &Board) -> bool {
    board.target.ends_with("hf")
}

/// Measures, prints, and says what is not as in the budget.
pub(crate) fn run(options: &Options) -> Result<()> {
    let budget = Report::parse(&fs::read_to_string(repository().join("host-tests/budget.json"))?)?;
    if options.markdown {
        print!("{}", page(&budget));
        return Ok(());
    }
    let selected = options.selected()?;
    ensure!(!selected.is_empty(), "there is nothing to measure");
    setup::ensure()?;
    let features = if options.n.is_empty() { &SIZES[..] } else { &options.n };
    let mut report = Report::new()?;
    for (board, arith) in selected {
        // Floats in software would take a trace of gigabytes, and nobody should use them.
        let is_modelled = Core::of(board).is_some() && (arith != "f32" || has_fpu(board));
        let scope = Scope {
            features,
            cycles: if is_modelled && !options.quick { features } else { &[] },
            memory: if options.quick { &[] } else { features },
            flash: !(options.quick || options.board.is_empty()),
        };
        let what = format!("measuring {arith} on {}", board.name);
        waiting::showing(|| what.clone(), || report.measure(board, arith, &scope))?;
    }
    if !options.n.is_empty() || options.quick {
        print!("{}", report.changes(&Report::default(), |_| true).replace("     new", ""));
    }
    print!("{}", page(&report));
    let changes = report.changes(&budget, |_| true);
    print!("\nNot as in host-tests/budget.json:\n{}", if changes.is_empty() { "nothing\n" } else { &changes });
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::Task;

    fn refused(arguments: &str) -> String {
        let words = format!("cargo-xtask dev bench {arguments}");
        Task::try_parse_from(words.split(' ')).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn what_is_not_measured_is_refused_with_what_is() {
        for n in ["7", "20", "0", "x"] {
            let error = refused(&format!("--n {n}"));
            assert!(error.contains("[8, 10, 16, 64]"), "{error}");
        }
        assert!(refused("--arith f16").contains("q28"));
        assert_eq!(refused("--n 64 --n 8 --arith f32"), "");
    }

    #[test]
    fn the_help_explains_every_part() {
        let help = refused("--help");
        for word in ["update_near", "plain_row", "naive_pass1", "track_row", "_raw", "--quick"] {
            assert!(help.contains(word), "{word} in\n{help}");
        }
    }
}
