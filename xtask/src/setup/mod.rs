//! `cargo xtask setup`: finds and installs anything that is missing, without prompting.

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use osculate_lab::boards::{Board, Emulator};
use osculate_lab::toolchain::rp2040js::Rp2040js;
use osculate_lab::toolchain::{self, Missing, ambient, answer};

use self::step::say;

mod apt;
mod cache;
pub(crate) mod doctor;
mod packages;
mod qemu;
mod rp2040js;
pub(crate) mod rustup;
mod step;

/// The linters that CI uses: cargo's subcommand and rustup's component.
const LINTS: [(&str, &str); 2] = [("clippy", "clippy"), ("fmt", "rustfmt")];

/// What to install besides what every board needs.
#[derive(Args)]
pub(crate) struct Options {
    /// Also rp2040js, the emulator of the Raspberry Pi Pico; this needs node and npm
    #[arg(long)]
    pico: bool,
}

/// Installs everything, and reports for each part whether it was already present.
pub(crate) fn run(options: &Options) -> Result<()> {
    println!("Setting up for Cortex-M in QEMU");
    let parts: [fn() -> Result<Brought>; 4] = [bring_targets, qemu::bring, bring_lints, rp2040js::bring];
    let brought = bring(&parts[..if options.pico { 4 } else { 3 }])?;
    let done =
        if brought.is_empty() { "nothing was missing".to_owned() } else { format!("installed {}", brought.join(", ")) };
    println!("Ready: {done}. Next: `cargo xtask demo` or `cargo xtask test`.");
    Ok(())
}

/// Installs what is needed to build the firmware and to run it in QEMU; silent if nothing is missing.
pub(crate) fn ensure() -> Result<()> {
    if toolchain::compiler().is_err() || toolchain::qemu().is_err() {
        println!("Setting up first, once");
        bring(&[bring_targets, qemu::bring])?;
    }
    Ok(())
}

/// Installs what is needed to build the firmware; silent if nothing is missing. Nothing runs in QEMU then.
pub(crate) fn ensure_compiler() -> Result<()> {
    if toolchain::compiler().is_err() {
        println!("Setting up first, once");
        bring(&[bring_targets])?;
    }
    Ok(())
}

/// Installs what is needed to build and lint the firmware.
pub(crate) fn ensure_lints() -> Result<()> {
    bring(&[bring_targets, bring_lints]).map(|_| ())
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

/// The name of an installed part; `None` if it was already present.
type Brought = Option<&'static str>;

fn bring_targets() -> Result<Brought> {
    let brought = match toolchain::compiler() {
        Err(Missing::Targets(targets)) => {
            rustup::add_targets(&targets)?;
            Some("the Cortex-M targets")
        }
        found => found.map(|_| None)?,
    };
    say("have", format_args!("Cortex-M targets in {}", toolchain::compiler()?.display()));
    Ok(brought)
}

fn bring_lints() -> Result<Brought> {
    let missing: Vec<_> = LINTS.into_iter().filter(|(subcommand, _)| version_of(subcommand).is_none()).collect();
    let names: Vec<_> = missing.iter().map(|(_, component)| *component).collect();
    if names.is_empty() {
        say("have", "clippy and rustfmt");
        return Ok(None);
    }
    if rustup::version().is_none() {
        bail!("install {} as you have installed Rust", names.join(" and "));
    }
    rustup::add("component", &names).context("clippy and rustfmt are missing")?;
    Ok(Some("clippy and rustfmt"))
}

/// The output of `cargo SUBCOMMAND --version`, if there is such a subcommand.
fn version_of(subcommand: &str) -> Option<String> {
    answer(ambient("cargo").args([subcommand, "--version"]))
}
