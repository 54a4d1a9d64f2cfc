//! `cargo xtask flash`: puts the application onto a real board, by probe-rs or by a USB drive.
//!
//! What is missing is found out first, before anything is installed or built.

mod drive;

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use osculate_lab::boards::Board;
use osculate_lab::toolchain::{ambient, answer, on_path};

use crate::build::{self, shown};
use crate::{boards, setup};

const PROBE_RS: &str = "probe-rs";
/// The firmware handles its resets and faults itself; probe-rs would stop at them.
const GO_ON: [&str; 2] = ["--no-catch-reset", "--no-catch-hardfault"];

/// Flash a real board, by a debug probe or by its USB drive, and show its log
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

/// Finds a way, builds, and flashes.
pub(crate) fn run(options: &Options) -> Result<()> {
    let board = Board::named(&options.board)?;
    if board.chip.is_none() {
        let able: Vec<_> = Board::buildable().filter(|board| board.chip.is_some()).map(|board| &*board.name).collect();
        bail!("{} exists only in an emulator; boards that can be flashed: {}", board.name, able.join(", "));
    }
    boards::buildable(&board.name)?;
    let (probe, drive) = (probe(), drive::find(board, &options.mounts));
    let drive = match (options.by, probe, drive) {
        (None | Some(By::Probe), Ok(()), _) => None,
        (Some(By::Probe), Err(no_probe), _) => bail!("{no_probe:#}"),
        (None | Some(By::Drive), _, Ok(drive)) => Some(drive),
        (Some(By::Drive), _, Err(no_drive)) => bail!("{no_drive:#}"),
        (None, Err(no_probe), Err(no_drive)) => bail!("{no_probe:#}\nand {no_drive:#}"),
    };
    setup::ensure_compiler()?;
    let built = build::application(board)?;
    built.show(board);
    ensure!(built.report.complaints.is_empty(), "{} is not flashed: its image would not do", board.name);
    match drive {
        None => by_probe(board, &built.path),
        Some(drive) => drive::copy(board, &built.elf, &drive),
    }
}

/// Whether probe-rs finds a probe.
///
/// # Errors
/// What to install or to plug in.
fn probe() -> Result<()> {
    on_path(PROBE_RS).context("probe-rs is not installed: `cargo install probe-rs-tools --locked`")?;
    let list = answer(ambient(PROBE_RS).arg("list")).context("`probe-rs list` fails: run it to see why")?;
    ensure!(list.contains("[0]: "), "`probe-rs list` finds no debug probe: plug one in");
    ensure!(
        list.lines().any(|line| line.starts_with('[') && !line.ends_with("(inaccessible)")),
        "this user may not open the debug probe: see https://probe.rs/docs/getting-started/probe-setup"
    );
    Ok(())
}

/// Flashes, and shows the log until the user stops it.
fn by_probe(board: &Board, elf: &Path) -> Result<()> {
    let chip = board.chip.as_deref().with_context(|| format!("{} has no chip to flash", board.name))?;
    println!("flashing {} by its probe, then showing its log; Ctrl-C stops the log, not the board", board.name);
    println!("  probe-rs run --chip {chip} {} {}", GO_ON.join(" "), shown(elf).display());
    // As the user would start it: its settings may be in the environment. It also handles Ctrl-C itself.
    let mut command = Command::new(PROBE_RS);
    command.args(["run", "--chip", chip]).args(GO_ON).arg(elf);
    Err(command.exec()).context("cannot start probe-rs")
}
