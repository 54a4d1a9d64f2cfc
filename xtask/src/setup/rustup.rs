//! rustup, if installed.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use osculate_lab::toolchain::{self, Missing, ambient, answer};

use super::step;

/// A download that takes longer has failed, even on a slow line and a busy machine: the parts are a few megabytes each,
/// and rustup itself gives up on a server that does not answer.
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(600);

/// The version of rustup, if installed.
pub(super) fn version() -> Option<String> {
    let text = answer(ambient("rustup").arg("--version"))?;
    Some(text.split_whitespace().nth(1)?.to_owned())
}

/// The command to add these targets by hand.
pub(super) fn by_hand(targets: &[&str]) -> String {
    format!("rustup target add {}", targets.join(" "))
}

/// Downloads the targets for the active toolchain.
///
/// # Errors
/// If there is no rustup, or it cannot, or the compiler on the PATH still lacks them.
pub(super) fn add_targets(targets: &[&str]) -> Result<()> {
    let missing = || format!("the Cortex-M targets are missing ({})", targets.join(", "));
    ensure!(version().is_some(), "{}, and rustup, which installs them: see https://rustup.rs", missing());
    add("target", targets).with_context(missing)?;
    if let Err(Missing::Targets(gone)) = toolchain::compiler() {
        let rustc = toolchain::on_path("rustc").unwrap_or_default();
        let active = answer(ambient("rustup").args(["show", "active-toolchain"])).unwrap_or_default();
        let active = active.split_whitespace().next().unwrap_or("stable");
        anyhow::bail!(
            "rustup has installed {}, but {} does not find them. Is it another compiler than rustup's? If not, their \
             files are gone; to get them back:\n  rustup toolchain uninstall {active} && rustup toolchain install {active}",
            gone.join(", "),
            rustc.display()
        );
    }
    Ok(())
}

/// `rustup WHAT add NAMES`.
pub(super) fn add(what: &str, names: &[&str]) -> Result<()> {
    step::run(ambient("rustup").args([what, "add"]).args(names), Some(DOWNLOAD_LIMIT))
}

/// Downloads a toolchain without extras, and these targets for it, unless they are already installed.
///
/// # Errors
/// If there is no rustup, or the download fails.
pub(crate) fn bring_toolchain(name: &str, targets: &[&str]) -> Result<()> {
    version().context("there is no rustup")?;
    let list = answer(ambient("rustup").args(["target", "list", "--installed", "--toolchain", name]));
    let installed: Vec<_> = list.iter().flat_map(|list| list.lines()).collect();
    if targets.iter().all(|target| installed.contains(target)) {
        return Ok(());
    }
    let mut install = ambient("rustup");
    install.args(["toolchain", "install", name, "--profile", "minimal", "--no-self-update"]);
    install.args(targets.iter().flat_map(|target| ["--target", target]));
    step::run(&mut install, Some(DOWNLOAD_LIMIT))
}

/// Downloads Miri for the nightly toolchain, unless it is already installed. The toolchain itself is not updated.
///
/// # Errors
/// If there is no rustup or no nightly toolchain, or the download fails.
pub(crate) fn bring_miri() -> Result<()> {
    version().context("there is no rustup")?;
    let nightly = |arguments: &[&str]| answer(ambient("rustup").args(["run", "nightly"]).args(arguments));
    nightly(&["rustc", "--version"]).context("there is no nightly toolchain")?;
    let list = answer(ambient("rustup").args(["component", "list", "--installed", "--toolchain", "nightly"]));
    let has = |name: &str| list.iter().flat_map(|list| list.lines()).any(|line| line.starts_with(name));
    if has("rust-src") && nightly(&["cargo", "miri", "--version"]).is_some() {
        return Ok(());
    }
    add("component", &["--toolchain", "nightly", "miri", "rust-src"])
}
