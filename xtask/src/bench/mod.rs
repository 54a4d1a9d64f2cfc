//! `cargo xtask dev bench`: the cost of the learners on each core.

mod table;
mod tables;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use osculate_lab::bench::budget::{MEASURED, SIZED};
use osculate_lab::bench::limits::{LIMITS, is_limited};
use osculate_lab::bench::report::{Record, Report};
use osculate_lab::bench::size::{self, PROGRAMS};
use osculate_lab::bench::sizes::SIZES;
use osculate_lab::bench::timing::Core;
use osculate_lab::bench::{cycles, device, host};
use osculate_lab::boards::Board;
use osculate_lab::firmware::{self, OptLevel};
use osculate_lab::toolchain::ambient;
use osculate_lab::waiting;

use self::table::Table;
use crate::{check, repository, setup};

/// The arithmetics that have a bench firmware.
const ARITHMETICS: [&str; 2] = ["f32", "q28"];
/// The numbers of features that the default output is about.
const SHOWN: [u32; 4] = [8, tables::USUAL, 16, 64];

/// What every count is of.
const PARTS: &str = "\
Parts, each counted in instructions as QEMU executes them, exact and the same every time:
  pass1          ‖φ‖², residual and accumulation of 32 rows: 3n multiply-accumulates (MAC) a row
  pass1_cached   the same without ‖φ‖², as an update runs it: 2n MAC a row
  pass2          the pass of the curvature: 2n MAC a row
  pass1_near     pass1_cached near the solution: consistent targets, residuals of a few 2^-20
  update         a whole update, 4n MAC a row, far from the solution: residuals of the order of 1
  update_near    the same near the solution
  episode        32 steps with a log, their returns, and the update
  plain_row      one row through a log: encoded, closed, learned from
  naive_pass1    what pass1 does, in plain Rust without this library
  stream_step    a step of a streaming learner; stream_end: the end of its episode
  track_row      16 samples of a tracking learner, rows with targets, and one check of its gain
  track_predict  the same with a prediction for each sample; track_step: also with a trace
Cycles of the M0, M3 and M4 are a model's: see docs/performance.md. No chip was measured.";

/// What to measure, and what to do with it.
#[derive(Args)]
#[command(after_help = PARTS)]
pub(crate) struct Options {
    /// A board of firmware/boards.toml; one of each core, if none is named
    #[arg(long)]
    board: Vec<String>,
    /// f32 or q28; if none is named, both, but f32 only on cores with an FPU
    #[arg(long)]
    arith: Vec<String>,
    #[arg(long, value_parser = size, help = format!("Numbers of features, of {}: lists every count; 8, 10, 16 and 64, if none is named", sizes()))]
    n: Vec<u32>,
    /// Measure every size and every core in both arithmetics; list every count, and the straight lines through them
    #[arg(long)]
    all: bool,
    /// Leave out what takes long: cycles by the model, flash and RAM
    #[arg(long)]
    quick: bool,
    /// What the counted code is optimised for: 3, s, or recommended (the library s, the application 3)
    #[arg(long, value_name = "LEVEL", default_value = "recommended", value_parser = levels())]
    opt_level: OptLevel,
    /// Show the costs that have a limit beside it; fails if one is exceeded
    #[arg(long)]
    limits: bool,
    /// Print the tables of the README and of docs/performance.md instead
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

/// `3`, `s` and `recommended`.
fn levels() -> impl TypedValueParser<Value = OptLevel> {
    // The parser accepts no other name.
    PossibleValuesParser::new(OptLevel::ALL.map(OptLevel::name))
        .map(|name| OptLevel::ALL.into_iter().find(|level| level.name() == name).unwrap_or(OptLevel::Recommended))
}

/// Whether floats are computed by hardware.
fn has_fpu(board: &Board) -> bool {
    board.target.ends_with("hf")
}

impl Options {
    /// The boards and arithmetics to measure.
    fn selected(&self) -> Result<Vec<(&'static Board, &'static str)>> {
        for arith in &self.arith {
            ensure!(
                ARITHMETICS.contains(&arith.as_str()),
                "there is no bench in `{arith}`; there are {}",
                ARITHMETICS.join(", ")
            );
        }
        let boards = match self.board.as_slice() {
            [] => Board::cores().collect(),
            names => names.iter().map(|name| Board::named(name)).collect::<Result<Vec<_>>>()?,
        };
        let limited = self.limits && !self.all && self.board.is_empty();
        let named = self.all || !self.board.is_empty() || !self.arith.is_empty();
        let pairs = boards.into_iter().flat_map(|board| ARITHMETICS.map(|arith| (board, arith)));
        let is_wanted = |(board, arith): &(&Board, &str)| {
            (self.arith.is_empty() || self.arith.iter().any(|it| it == arith))
                && (!limited || is_limited(&board.name, arith))
                && (named || *arith != "f32" || has_fpu(board))
        };
        Ok(pairs.filter(is_wanted).collect())
    }

    /// The numbers of features to measure; none for all of them.
    fn features(&self) -> &[u32] {
        match self.n.as_slice() {
            [] if self.all => &[],
            [] => &SHOWN,
            n => n,
        }
    }

    /// Whether flash is measured on this board.
    fn sizes(&self, board: &Board) -> bool {
        // The documentation also says what a core without an FPU needs.
        let documented = self.markdown && MEASURED.iter().any(|(name, _)| *name == board.name);
        !self.quick && (self.all || !self.board.is_empty() || board.name == SIZED || documented)
    }
}

/// Measures, prints, and writes.
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
    let selected = options.selected()?;
    setup::ensure()?;
    let mut report = Report::default();
    for (board, arith) in selected {
        measure(board, arith, options, &mut report)?;
    }
    if let Some(path) = &options.json {
        fs::write(path, report.json()?).with_context(|| format!("cannot write {}", path.display()))?;
    }
    show(&report, options);
    if let Some(base) = base {
        let path = options.compare.clone().unwrap_or_default();
        print!("since {}:\n{}", path.display(), report.compare(&base));
    }
    if options.limits { judge(&report) } else { Ok(()) }
}

/// Prints what the options ask for.
fn show(report: &Report, options: &Options) {
    if options.markdown {
        print!("{}", tables::document(report).iter().map(Table::markdown).collect::<String>());
        return;
    }
    if options.all || !options.n.is_empty() {
        println!("{}", Record::HEADER);
        report.counts.iter().for_each(|record| println!("{}", record.line()));
        println!();
    }
    if options.all {
        print!("{}", tables::lines(report).screen());
    }
    print!("{}", shown(report));
}

/// The default output.
fn shown(report: &Report) -> String {
    let tables: String = tables::screen(report).iter().map(Table::screen).collect();
    format!(
        "Instructions are exact, as QEMU counts them; cycles are a model's, and no chip was measured.\n{tables}\
        --all lists every count, --limits what is promised, --help what each part is.\n"
    )
}

/// Prints every limit, and fails if one is exceeded.
fn judge(report: &Report) -> Result<()> {
    println!("\nmeasured / limit, on the M4F unless said");
    let mut exceeded = 0;
    for limit in LIMITS {
        let measured = limit.measured(report);
        println!("{}", limit.line(measured));
        exceeded += usize::from(measured.is_some_and(|is| is > limit.most));
    }
    if exceeded > 0 {
        bail!("{exceeded} of {} limits are exceeded", LIMITS.len());
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
    let Board { name, core, .. } = board;
    let elf = doing(&format!("building the bench in {arith} for {name}"), || {
        firmware::build_at(board, "bench", size::features(arith), options.opt_level)
    })?;
    let features = options.features();
    let counts =
        doing(&format!("counting instructions in {arith} on {name}"), || device::run(board, &elf, features, |_| ()))?;
    // Floats in software would take a trace of gigabytes, and nobody should use them.
    let is_modelled = Core::of(board).is_some() && (arith != "f32" || has_fpu(board)) && !options.quick;
    let cycles = if is_modelled {
        doing(&format!("adding up cycles of the {core} in {arith}"), || cycles::model(board, &elf, features))?
    } else {
        Vec::new()
    };
    for (i, count) in counts.into_iter().enumerate() {
        let mut record = Record::new(name, arith, &count);
        record.model_cycles = cycles.get(i).map(|(_, cycles)| *cycles);
        report.counts.push(record);
    }
    if !options.quick {
        report.ram.extend(size::ram(board, arith, &[8, tables::USUAL])?);
    }
    if options.sizes(board) {
        for program in PROGRAMS {
            for level in OptLevel::ALL {
                let what = format!("building {program} in {arith} for its size, opt-level {}", level.name());
                report.sizes.push(doing(&what, || size::measure(board, arith, program, level))?);
            }
        }
    }
    Ok(())
}

/// Does the work, and says what it is if it takes long.
fn doing<T>(what: &str, work: impl FnOnce() -> T) -> T {
    waiting::showing(|| what.to_owned(), work)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::SIZES;
    use crate::Task;

    #[test]
    fn a_size_that_is_not_measured_is_refused_with_those_that_are() {
        let parsed = |n: &str| Task::try_parse_from(["cargo xtask", "dev", "bench", "--n", n]);
        for n in ["7", "20", "0", "x"] {
            let error = parsed(n).err().expect(n).to_string();
            assert!(error.contains("8, 10, 16, 30, 32, 64, 128"), "{error}");
        }
        assert!(SIZES.iter().all(|size| parsed(&size.to_string()).is_ok()));
    }

    #[test]
    fn the_help_explains_every_part() {
        let help = Task::try_parse_from(["cargo xtask", "dev", "bench", "--help"]).err().expect("help").to_string();
        for word in ["update_near", "plain_row", "naive_pass1", "track_row", "--limits", "--all", "--opt-level"] {
            assert!(help.contains(word), "{word} in\n{help}");
        }
    }
}
