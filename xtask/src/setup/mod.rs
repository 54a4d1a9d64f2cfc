//! `cargo xtask setup`: finds and installs anything that is missing, without prompting.

use anyhow::{Result, anyhow, bail, ensure};
use osculate_lab::boards::{Board, Emulator};
use osculate_lab::toolchain::{self, Missing, TARGETS, Toolchain, ambient, answer, rp2040js::Rp2040js};

use self::{
    packages::{Installer, Manager},
    rights::Becoming,
    step::say,
};

mod apt;
mod cache;
mod debian;
pub(crate) mod doctor;
mod matched;
mod node;
mod packages;
mod private_program;
mod qemu;
mod rights;
mod rp2040js;
pub(crate) mod rustup;
mod step;

/// The linters that CI uses: cargo's subcommand and rustup's component.
const LINTS: [(&str, &str); 2] = [("clippy", "clippy"), ("fmt", "rustfmt")];

/// Installs everything, and reports for each part whether it was already present.
pub(crate) fn run() -> Result<()> {
    println!("Setting up for Cortex-M in QEMU and rp2040js");
    let brought = bring(&[bring_targets, qemu::bring, node::bring, rp2040js::bring, bring_lints])?;
    let done =
        if brought.is_empty() { "nothing was missing".to_owned() } else { format!("installed {}", brought.join(", ")) };
    println!("Ready: {done}. Next: `cargo xtask demo` or `cargo xtask test`.");
    Ok(())
}

/// Installs what is needed to build the firmware and to run it in QEMU; silent if nothing is missing.
pub(crate) fn ensure() -> Result<()> {
    if Toolchain::find().is_err() || toolchain::qemu().is_err() {
        println!("Setting up first, once");
        bring(&[bring_targets, qemu::bring])?;
    }
    Ok(())
}

/// Installs what is needed to build the firmware; silent if nothing is missing. Nothing runs in QEMU then.
pub(crate) fn ensure_compiler() -> Result<()> {
    if Toolchain::find().is_err() {
        println!("Setting up first, once");
        bring(&[bring_targets])?;
    }
    Ok(())
}

/// Installs what is needed to run the firmware of a board in its emulator; silent if nothing is missing.
pub(crate) fn ensure_for(board: &Board) -> Result<()> {
    if board.emulator == Some(Emulator::Rp2040js) { ensure_all() } else { ensure() }
}

/// Installs what all tests need, rp2040js included; silent if nothing is missing.
pub(crate) fn ensure_all() -> Result<()> {
    ensure()?;
    if Rp2040js::find().is_err() {
        println!("Setting up rp2040js first, once: it runs the Pico");
        bring(&[node::bring, rp2040js::bring])?;
    }
    Ok(())
}

/// Tries every part, so that one run shows everything that needs manual work. Returns the names of those that were
/// missing.
fn bring(parts: &[fn(&mut Installer) -> Result<Brought>]) -> Result<Vec<&'static str>> {
    let mut installer = Installer::find();
    let mut brought = Vec::new();
    let mut complete = true;
    for part in parts {
        match part(&mut installer) {
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

fn bring_targets(installer: &mut Installer) -> Result<Brought> {
    let (toolchain, brought) = match Toolchain::find() {
        Ok(toolchain) => (toolchain, None),
        Err(missing) => {
            add_targets(&missing, installer)?;
            (Toolchain::find()?, Some("the Cortex-M targets"))
        }
    };
    say("have", format_args!("Cortex-M targets in {}", toolchain.sysroot().display()));
    rustup::use_in_firmware(&toolchain)?;
    Ok(brought)
}

fn add_targets(missing: &Missing, installer: &mut Installer) -> Result<()> {
    let mut otherwise = format!("rustup installs them, where there is one: {}", rustup::add_targets_by_hand(TARGETS));
    if let (Some(active), Missing::Targets(targets)) = (rustup::active(), missing) {
        let Err(error) = rustup::bring_targets(&active, targets) else { return Ok(()) };
        say("note", "rustup cannot install the targets, looking for another way");
        // Retrying by hand is no use: the next setup tries again.
        otherwise = format!("rustup could not: {error:#}; once it can download, run `cargo xtask setup` again");
    }
    debian::bring_targets(installer)
        .map_err(|error| anyhow!("the Cortex-M targets are missing: {error:#}\n{otherwise}"))
}

fn bring_lints(installer: &mut Installer) -> Result<Brought> {
    let missing: Vec<_> = LINTS.into_iter().filter(|(subcommand, _)| version_of(subcommand).is_none()).collect();
    let names: Vec<_> = missing.iter().map(|(_, component)| *component).collect();
    if names.is_empty() {
        say("have", "clippy and rustfmt");
        return Ok(None);
    }
    if let Some(active) = rustup::active() {
        rustup::add_components(&active, &names)?;
    } else if installer.manager() == Some(Manager::Apt) {
        let packages: Vec<_> = names.iter().map(|name| debian::lint_package(name)).collect();
        installer.install(&packages).map_err(|refusal| {
            anyhow!("{} are missing: {refusal}. {}", names.join(" and "), refusal.advice(&packages, Becoming::find()))
        })?;
    } else {
        bail!("install {} by hand: setup knows no source for them on this machine", names.join(" and "));
    }
    Ok(Some("clippy and rustfmt"))
}

/// The output of `cargo SUBCOMMAND --version`, if there is such a subcommand.
fn version_of(subcommand: &str) -> Option<String> {
    answer(ambient("cargo").args([subcommand, "--version"]))
}
