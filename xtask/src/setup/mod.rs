//! `cargo xtask setup`: finds and installs anything that is missing, without prompting.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use clap::Args;
use osculate_lab::boards::{Board, Emulator};
use osculate_lab::toolchain::rp2040js::Rp2040js;
use osculate_lab::toolchain::{self, cache_dir, emulator};
use tempfile::TempDir;

pub(crate) mod doctor;
mod qemu;
mod rp2040js;
mod rustup;

/// Install what is missing to build the firmware and to run it in QEMU
#[derive(Args)]
pub(crate) struct Options {
    /// Also rp2040js, the emulator of the Raspberry Pi Pico; this needs node and npm
    #[arg(long)]
    pico: bool,
}

/// Installs everything, and reports for each part whether it was already present.
pub(crate) fn run(options: &Options) -> Result<()> {
    println!("Setting up for Cortex-M in QEMU");
    let parts = [rustup::bring_targets, qemu::bring, rp2040js::bring];
    let brought = bring(&parts[..if options.pico { 3 } else { 2 }])?;
    let done =
        if brought.is_empty() { "nothing was missing".to_owned() } else { format!("installed {}", brought.join(", ")) };
    println!("Ready: {done}. Next: `cargo xtask demo` or `cargo xtask test`.");
    Ok(())
}

/// Installs what is needed to build the firmware and to run it in QEMU; silent if nothing is missing.
pub(crate) fn ensure() -> Result<()> {
    if toolchain::cargo().is_err() || emulator::Emulator::find().is_err() {
        println!("Setting up first, once");
        bring(&[rustup::bring_targets, qemu::bring])?;
    }
    Ok(())
}

/// Installs what is needed to build the firmware; silent if nothing is missing. Nothing runs in QEMU then.
pub(crate) fn ensure_compiler() -> Result<()> {
    if toolchain::cargo().is_err() {
        println!("Setting up first, once");
        bring(&[rustup::bring_targets])?;
    }
    Ok(())
}

/// Installs what is needed to run the firmware of a board in its emulator; silent if nothing is missing.
pub(crate) fn ensure_for(board: &Board) -> Result<()> {
    ensure()?;
    if board.emulator == Some(Emulator::Rp2040js) { ensure_pico() } else { Ok(()) }
}

/// Installs what runs the Pico; silent if nothing is missing.
///
/// # Errors
/// If it cannot be installed: says what is missing.
pub(crate) fn ensure_pico() -> Result<()> {
    if Rp2040js::find().is_err() {
        rp2040js::bring()?;
    }
    Ok(())
}

/// The name of an installed part; `None` if it was already present.
type Brought = Option<&'static str>;

/// Tries every part, so that one run shows everything that needs manual work. Returns the names of those that were
/// missing.
fn bring(parts: &[fn() -> Result<Brought>]) -> Result<Vec<&'static str>> {
    let mut brought = Vec::new();
    let mut complete = true;
    for part in parts {
        match part() {
            Ok(part) => brought.extend(part),
            Err(problem) => {
                complete = false;
                eprintln!("\nproblem: {problem:#}\n");
            }
        }
    }
    ensure!(complete, "setup is not complete: see the problems above, then run `cargo xtask setup` again");
    Ok(brought)
}

/// Prints one line of setup's output: a label and a text.
fn say(label: &str, text: impl Display) {
    println!("  {label:<6} {text}");
}

/// A folder to unpack into, beside its final place: what is interrupted leaves nothing that could be mistaken for it.
fn draft() -> Result<TempDir> {
    let cache = cache_dir().context("no cache folder: set HOME or XDG_CACHE_HOME")?;
    let draft = fs::create_dir_all(&cache).and_then(|()| tempfile::Builder::new().prefix("draft-").tempdir_in(&cache));
    draft.with_context(|| format!("cannot write {}: set XDG_CACHE_HOME to a folder of yours", cache.display()))
}

/// Moves a draft to its place, instead of what may be there.
fn keep(draft: TempDir, place: &Path) -> Result<()> {
    _ = fs::remove_dir_all(place);
    fs::rename(draft.keep(), place).with_context(|| format!("cannot write {}", place.display()))
}
