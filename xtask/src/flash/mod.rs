//! `cargo xtask flash`: puts the application onto a real board.
//!
//! What is missing on this machine is found out first, before anything is installed or built: nobody should wait for a
//! build to be told to plug something in.

mod advice;
mod drive;
mod probe;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use osculate_lab::boards::Board;

use self::drive::Drive;
use self::probe::Probes;
use crate::build::{self, Built};
use crate::{boards, setup};

/// What to flash, and how.
#[derive(Args)]
pub(crate) struct Options {
    /// A board that `cargo xtask boards` says can be flashed
    #[arg(long, value_name = "NAME")]
    board: String,
    /// By a debug probe, which also shows the log, or by the board's USB drive; a probe, if there is one
    #[arg(long)]
    by: Option<By>,
    /// Where to look for mounted drives
    #[arg(long, hide = true, default_value = "/")]
    mounts: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    Probe,
    Drive,
}

/// How a board will be flashed.
enum Way {
    /// With this program, probe-rs.
    Probe(PathBuf),
    Drive(Drive),
}

/// Finds a way, builds, and flashes.
pub(crate) fn run(options: &Options) -> Result<()> {
    let board = flashable(&options.board)?;
    let way = way(board, options)?;
    setup::ensure_compiler()?;
    let built = build::application(board)?;
    let Built { report, .. } = &built;
    if !report.complaints.is_empty() {
        bail!("{} is not flashed: its image would not do\n  {}", board.name, report.complaints.join("\n  "));
    }
    println!("the image is fine: {} bytes of flash, {} of static RAM", report.flash, report.ram);
    match way {
        Way::Probe(program) => probe::run(&program, board, &built.path),
        Way::Drive(drive) => drive.copy(board, &built.elf),
    }
}

/// The board of this name.
fn flashable(name: &str) -> Result<&'static Board> {
    let board = Board::named(name)?;
    if board.chip.is_none() {
        let able = Board::buildable().filter(|board| board.chip.is_some());
        let able: Vec<_> = able.map(|board| board.name.as_str()).collect();
        bail!("{name} exists only in an emulator; boards that can be flashed: {}", able.join(", "));
    }
    boards::buildable(name)
}

fn way(board: &Board, options: &Options) -> Result<Way> {
    let drive = || drive::find(board, &options.mounts);
    let told = |probes: Option<&Probes>, drive: Option<&drive::Missing>| advice::text(board, probes, drive);
    match options.by {
        Some(By::Drive) => drive().map(Way::Drive).map_err(|missing| told(None, Some(&missing))),
        Some(By::Probe) => match Probes::find()? {
            Probes::Found(program) => Ok(Way::Probe(program)),
            probes => Err(told(Some(&probes), None)),
        },
        None => match Probes::find()? {
            Probes::Found(program) => Ok(Way::Probe(program)),
            probes => drive().map(Way::Drive).map_err(|missing| told(Some(&probes), Some(&missing))),
        },
    }
    .map_err(anyhow::Error::msg)
    .with_context(|| format!("{} cannot be flashed yet", board.name))
}
