//! The options of `cargo xtask replay`.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use osculate_apps::choice::{Arith, Rule};
use osculate_lab::boards::Board;
use osculate_lab::replay::{Config, Schedule, Targets, Unusable};

use crate::choice;

const AFTER_HELP: &str = "\
The file: a header `episode,state,reward,phi0,phi1,…`, then one line per step in the order of time: the features of a
state, and the reward received on leaving it. An episode ends where its number changes, and makes one update from the
first visits of its states. With `--gamma 0` an episode is simply a batch of rows. `tracking` learns at every step, from
every visit; a stream that never ends is one long episode for it. Steps with NaN or inf are dropped and counted;
decimals are rounded to f32 and, in fixed point, from there to the format.

How well it learned: each row's value as predicted before its episode (with `tracking`: the step) was learned from,
against the return that the recording gives, over the last three quarters of the rows. 100 % explained is perfect, 0 %
is as good as their mean.

Limits per episode, in steps / different states (`streaming` has no limit of steps, `tracking` none at all):
  host              262144 / 4096, up to 512 features (fixed point: 128)
  boards            16384 / 1024, up to 32 features
  microbit          256 / 64, 64 / 24 in f64
  streaming         different states: host 1048576, boards 65536, microbit 4096";

/// Learn from recorded data, on this machine or on a board in its emulator
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Options {
    /// The recording, a CSV file
    pub(super) file: PathBuf,
    /// The numbers to learn in
    #[arg(long, default_value = "f32", value_parser = choice::arithmetics())]
    pub(super) arith: Arith,
    /// Where the step size comes from; `tracking` learns at every step and sets its gain itself
    #[arg(long, default_value = "paper", value_parser = choice::rules())]
    rule: Rule,
    /// The gain: 1/k, k^-3/4 or const:X [default: 1/k; predictable and streaming k^-3/4]
    #[arg(long, value_parser = schedule)]
    eta: Option<Schedule>,
    /// The momentum, in [0, 1) [default: 0.5; plain 0]
    #[arg(long, allow_negative_numbers = true)]
    beta: Option<f32>,
    /// The discount, in [0, 1] [default: 1; 0 with given targets]
    #[arg(long, allow_negative_numbers = true)]
    gamma: Option<f32>,
    /// No update where |c| is below this; 0 switches the test off [default: 1e-6; predictable and streaming 0]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    epsilon_skip: Option<f32>,
    /// Monte Carlo returns, one-step temporal differences, or given: each reward is its row's target, as with
    /// `--gamma 0` [default: mc; with tracking, they follow from lambda]
    #[arg(long)]
    targets: Option<TargetsName>,
    /// With tracking: how far errors are carried back, in [0, 1] [default: 0.8]
    #[arg(long, allow_negative_numbers = true)]
    lambda: Option<f32>,
    /// With tracking: the number of rows from one adjustment of the gain to the next, 1 to 65535 [default: 16]
    #[arg(long, value_name = "ROWS", allow_negative_numbers = true)]
    every: Option<u16>,
    /// `host`, or a board of firmware/boards.toml
    #[arg(long, value_name = "BOARD", default_value = "host")]
    pub(super) on: String,
    /// Write all updates and the final weights to this file
    #[arg(long, value_name = "OUT")]
    pub(super) json: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum TargetsName {
    Mc,
    Td0,
    Given,
}

/// A gain, as it is written.
fn schedule(text: &str) -> Result<Schedule, String> {
    match text {
        "1/k" => Ok(Schedule::Harmonic),
        "k^-3/4" => Ok(Schedule::ThreeQuarters),
        _ => {
            let constant = text.strip_prefix("const:").and_then(|constant| constant.parse().ok());
            constant.map(Schedule::Constant).ok_or_else(|| "choose 1/k, k^-3/4 or const:X".into())
        }
    }
}

impl Options {
    /// The validated parameters.
    pub(super) fn config(&self) -> Result<Config> {
        let gamma = match (self.targets, self.gamma) {
            (Some(TargetsName::Given), None | Some(0.0)) => 0.0,
            (Some(TargetsName::Given), _) => bail!("`--targets given` is `--gamma 0`: nothing that follows counts"),
            (_, gamma) => gamma.unwrap_or(1.0),
        };
        let targets = match self.targets {
            Some(TargetsName::Mc) if self.rule == Rule::Tracking => return Err(Unusable::TRACKING_TARGETS.into()),
            Some(TargetsName::Td0) => Targets::OneStep,
            _ => Targets::MonteCarlo,
        };
        let Self { rule, eta, beta, epsilon_skip: skip_below, lambda, every, .. } = *self;
        let config = Config { rule, targets, gamma, eta, beta, skip_below, lambda, every };
        config.check()?;
        Ok(config)
    }

    /// The board to learn on, or `None` for this machine.
    pub(super) fn board(&self) -> Result<Option<&'static Board>> {
        if self.on == "host" {
            return Ok(None);
        }
        let board = Board::named(&self.on).context("`--on` takes `host` or a board")?;
        ensure!(board.emulator.is_some(), "no emulator runs the board {}; choose another, or `--on host`", self.on);
        Ok(Some(board))
    }
}
