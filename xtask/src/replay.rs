//! `cargo xtask replay`: recorded data through the learner, on the host or on a board in QEMU.

use std::fs::{self, File};
use std::io::{BufReader, IsTerminal, Write, stderr};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use osculate::Verdict;
use osculate_host_tests::lab::boards::Board;
use osculate_host_tests::lab::firmware;
use osculate_host_tests::replay::format::Update;
use osculate_host_tests::replay::json::{Results, verdict};
use osculate_host_tests::replay::{Arith, Config, Eta, Job, Rule, Targets, csv, device, host};

use crate::setup;

const AFTER_HELP: &str = "\
The file: a header `episode,state,reward,phi0,phi1,…`, then one line per step in the order of time: the features of a
state, and the reward received on leaving it. An episode ends where its number changes, and makes one update from the
first visits of its states. With `--gamma 0` an episode is simply a batch of rows. Steps with NaN or inf are dropped and
counted; decimals are rounded to f32 (f64 for `--arith f64`) and, in fixed point, from there to the format.

Limits per episode, in steps / different states (`streaming` has no limit of steps):
  host              1048576 / 16384, up to 512 features (fixed point: 128)
  boards            16384 / 1024, up to 32 features
  microbit          256 / 64 in f32 and with i16 rows, 96 / 64 with i32 rows, 64 / 24 in f64
  i32 rows          128 different states everywhere
  streaming         different states: host 1048576, boards 65536, microbit 4096";

/// What to learn from, how, and where.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Options {
    /// The recording, a CSV file
    file: PathBuf,
    /// The numbers to learn in
    #[arg(long, default_value = "f32")]
    arith: Numbers,
    /// The integers that fixed-point rows are held in [default: i16]
    #[arg(long)]
    rows: Option<Rows>,
    /// Where the step size comes from
    #[arg(long, default_value = "paper")]
    rule: RuleName,
    /// The gain: 1/k, k^-3/4 or const:X [default: 1/k; predictable and streaming k^-3/4]
    #[arg(long)]
    eta: Option<String>,
    /// The momentum, in [0, 1) [default: 0.5; plain 0]
    #[arg(long, allow_negative_numbers = true)]
    beta: Option<String>,
    /// The discount, in [0, 1]
    #[arg(long, default_value = "1", allow_negative_numbers = true)]
    gamma: String,
    /// No update where |c| is below this; 0 switches the test off [default: 1e-6; predictable and streaming 0]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    epsilon_skip: Option<String>,
    /// Monte Carlo returns, or one-step temporal differences
    #[arg(long, default_value = "mc")]
    targets: TargetsName,
    /// `host`, or a board of firmware/boards.toml
    #[arg(long, value_name = "BOARD", default_value = "host")]
    on: String,
    /// Write all updates and the final weights to this file
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Numbers {
    F32,
    F64,
    Q28,
    Q24,
}

#[derive(Clone, Copy, ValueEnum)]
enum Rows {
    I16,
    I32,
}

#[derive(Clone, Copy, ValueEnum)]
enum RuleName {
    Paper,
    Predictable,
    Streaming,
    Plain,
}

#[derive(Clone, Copy, ValueEnum)]
enum TargetsName {
    Mc,
    Td0,
}

/// Reads, learns, shows; the file for JSON is written last, or not at all.
pub(crate) fn run(options: &Options) -> Result<()> {
    let arith = options.arith()?;
    let config = options.config(arith)?;
    let board = if options.on == "host" { None } else { Some(board(&options.on)?) };
    if let Some(out) = &options.json {
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        ensure!(folder.is_dir(), "cannot write {}: there is no folder {}", out.display(), folder.display());
    }
    let name = options.file.display();
    let file = File::open(&options.file).with_context(|| format!("cannot open {name}"))?;
    let trace = csv::read(BufReader::new(file), arith).with_context(|| format!("{name}"))?;
    println!("{name}: {} episodes, {} steps, {} features", trace.episodes(), trace.steps(), trace.features());
    println!("learning in {} on {}", arith.name(), options.on);

    let job = Job { trace: &trace, arith, config };
    let mut progress = Progress::new(trace.episodes());
    let (mut updates, mut weights) = (Vec::new(), Vec::new());
    let mut keep = |update: &Update, bits: &[u64]| {
        updates.push(*update);
        weights = bits.to_vec();
    };
    let averaged = match board {
        None => host::run(&job, &mut |update, bits| {
            keep(update, bits);
            progress.add_one();
        })?,
        Some(board) => {
            setup::ensure()?;
            println!("building the firmware for {} ({})", board.name, board.core);
            let elf = firmware::build(board, "replay", &[])?;
            progress.restart();
            device::run(board, &elf, &job, |done| progress.show(done as usize), &mut keep)?
        }
    };
    let took = progress.end();

    show(arith, &updates);
    show_weights("weights", arith, &weights);
    if matches!(config.rule, Rule::Predictable | Rule::Streaming) {
        show_weights("averaged", arith, &averaged);
    }
    println!("took {:.2} s", took.as_secs_f64());
    if let Some(out) = &options.json {
        let results = Results::new(arith, config.rule, &updates, &weights, &averaged);
        fs::write(out, results.to_text()?).with_context(|| format!("cannot write {}", out.display()))?;
        println!("wrote {}", out.display());
    }
    Ok(())
}

fn board(name: &str) -> Result<&'static Board> {
    let board = Board::named(name).context("`--on` takes `host` or a board")?;
    ensure!(board.machine.is_some(), "QEMU does not have the board {name}; choose another, or `--on host`");
    Ok(board)
}

impl Options {
    fn arith(&self) -> Result<Arith> {
        Ok(match (self.arith, self.rows) {
            (Numbers::F32, None) => Arith::F32,
            (Numbers::F64, None) => Arith::F64,
            (Numbers::Q28, None | Some(Rows::I16)) => Arith::Q28,
            (Numbers::Q24, None | Some(Rows::I16)) => Arith::Q24,
            (Numbers::Q28, Some(Rows::I32)) => Arith::Q28Wide,
            (Numbers::Q24, Some(Rows::I32)) => Arith::Q24Wide,
            (Numbers::F32 | Numbers::F64, Some(_)) => bail!("`--rows` is for `--arith q28` and `--arith q24` only"),
        })
    }

    fn config(&self, arith: Arith) -> Result<Config> {
        let number = |option: &str, text: &str| {
            arith.decimal(text).with_context(|| format!("`{option}`: `{text}` is no number"))
        };
        let eta = match self.eta.as_deref() {
            None => None,
            Some("1/k") => Some(Eta::Harmonic),
            Some("k^-3/4") => Some(Eta::ThreeQuarters),
            Some(text) => {
                let constant = text.strip_prefix("const:");
                let constant = constant.with_context(|| format!("`--eta {text}`: choose 1/k, k^-3/4 or const:X"))?;
                Some(Eta::Constant(number("--eta", constant)?))
            }
        };
        let config = Config {
            rule: match self.rule {
                RuleName::Paper => Rule::Paper,
                RuleName::Predictable => Rule::Predictable,
                RuleName::Streaming => Rule::Streaming,
                RuleName::Plain => Rule::Plain,
            },
            targets: match self.targets {
                TargetsName::Mc => Targets::MonteCarlo,
                TargetsName::Td0 => Targets::OneStep,
            },
            gamma: number("--gamma", &self.gamma)?,
            eta,
            beta: self.beta.as_deref().map(|text| number("--beta", text)).transpose()?,
            skip_below: self.epsilon_skip.as_deref().map(|text| number("--epsilon-skip", text)).transpose()?,
        };
        Job::check(arith, &config)?;
        Ok(config)
    }
}

/// The first and the last updates, every power of two between them, and what became of all.
fn show(arith: Arith, updates: &[Update]) {
    println!("\n  update      k   rows  dropped       theta         |g|");
    let mut last = 0;
    for (index, update) in updates.iter().enumerate() {
        let number = index + 1;
        if number > 8 && number + 4 <= updates.len() && !number.is_power_of_two() {
            continue;
        }
        if number > last + 1 {
            println!("     ...");
        }
        last = number;
        let Update { k, tau, dropped, .. } = update;
        let (theta, g_norm) = (arith.scalar(update.theta), arith.scalar(update.g_norm));
        let remark = if update.verdict == Verdict::Stepped { "" } else { verdict(update.verdict) };
        println!("{number:>8} {k:>6} {tau:>6} {dropped:>8} {theta:>11.4e} {g_norm:>11.4e}  {remark}");
    }
    let count = |wanted: Verdict| updates.iter().filter(|update| update.verdict == wanted).count();
    let sum = |part: fn(&Update) -> u32| updates.iter().map(|update| u64::from(part(update))).sum::<u64>();
    println!(
        "\n{} updates: {} stepped, {} skipped, {} empty, {} out of range; {} steps dropped; {} numbers cut to the range",
        updates.len(),
        count(Verdict::Stepped),
        count(Verdict::Skipped),
        count(Verdict::Empty),
        count(Verdict::Overflow),
        sum(|update| update.dropped),
        sum(|update| update.saturated),
    );
}

fn show_weights(name: &str, arith: Arith, bits: &[u64]) {
    const MOST: usize = 32;
    println!("\n{name}");
    for line in bits[..bits.len().min(MOST)].chunks(8) {
        println!("{}", line.iter().map(|bits| format!(" {:>11.6}", arith.weight(*bits))).collect::<String>());
    }
    if bits.len() > MOST {
        println!("  and {} more: `--json OUT` writes all", bits.len() - MOST);
    }
}

/// Says on a terminal how far a run has come, if it takes long enough to wonder.
struct Progress {
    total: usize,
    done: usize,
    started: Instant,
    shown: Option<Instant>,
    wanted: bool,
}

impl Progress {
    const PATIENCE: Duration = Duration::from_secs(2);
    const PAUSE: Duration = Duration::from_millis(200);

    fn new(total: usize) -> Self {
        Self { total, done: 0, started: Instant::now(), shown: None, wanted: stderr().is_terminal() }
    }

    fn restart(&mut self) {
        self.started = Instant::now();
    }

    fn add_one(&mut self) {
        self.show(self.done + 1);
    }

    fn show(&mut self, done: usize) {
        self.done = done;
        let due = self.started.elapsed() > Self::PATIENCE && self.shown.is_none_or(|at| at.elapsed() > Self::PAUSE);
        if self.wanted && due {
            eprint!("\r{done} of {} updates", self.total);
            _ = stderr().flush();
            self.shown = Some(Instant::now());
        }
    }

    /// How long it took.
    fn end(self) -> Duration {
        if self.shown.is_some() {
            eprint!("\r\x1b[K");
        }
        self.started.elapsed()
    }
}
