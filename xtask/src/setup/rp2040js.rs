//! rp2040js, by npm: into the user's cache folder, in the one version that the runner of the Pico is written for.
//!
//! npm checks what it downloads against the lock file in `lab/pico`.

use std::fs;

use anyhow::{Context, Result, ensure};
use osculate_lab::toolchain::rp2040js::{OLDEST_NODE, Rp2040js, VERSION, folder, node, package_in};
use osculate_lab::toolchain::{ambient, on_path};

use super::{Brought, draft, keep, say};
use crate::{check, repository};

/// The command that installs node and npm.
pub(super) const BY_HAND: &str = "apt-get install --no-install-recommends nodejs npm";

/// Installs the emulator's package if it is missing.
///
/// # Errors
/// If node or npm is missing: with the command that installs them.
pub(super) fn bring() -> Result<Brought> {
    let brought = if Rp2040js::find().is_ok() { None } else { Some("rp2040js") };
    if brought.is_some() {
        ensure!(
            node().is_ok() && on_path("npm").is_some(),
            "no `node`, version {OLDEST_NODE} or newer, or no `npm`, which rp2040js needs: as root, `{BY_HAND}`"
        );
        fetch()?;
    }
    say("have", format_args!("rp2040js {VERSION}: {}", Rp2040js::find()?.package.display()));
    Ok(brought)
}

fn fetch() -> Result<()> {
    let draft = draft()?;
    for file in ["package.json", "package-lock.json"] {
        fs::copy(repository().join("lab/pico").join(file), draft.path().join(file))?;
    }
    let downloads = tempfile::tempdir()?;
    let mut npm = ambient("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--prefix"]);
    npm.arg(draft.path()).arg("--cache").arg(downloads.path()).current_dir(&draft);
    check::step("npm ci, for rp2040js", &mut npm)?;
    ensure!(package_in(draft.path()).is_some(), "npm has installed something else");
    keep(draft, &folder().context("no cache folder")?)
}
