//! rp2040js, by npm: into the user's cache folder, in the one version that the runner of the Pico is written for.
//!
//! npm checks what it downloads against the lock file in `lab/pico`.

use std::fs;

use anyhow::{Context, Result, ensure};
use osculate_lab::toolchain::rp2040js::{OLDEST_NODE, Rp2040js, VERSION, folder, is_package, node, package_in};
use osculate_lab::toolchain::{ambient, on_path};

use super::Brought;
use super::cache::{Cache, remove};
use super::packages::{Manager, Rights};
use super::step::{self, say};
use crate::repository;

/// Installs the emulator's package if it is missing.
///
/// # Errors
/// If node or npm is missing: with the command that installs them.
pub(super) fn bring() -> Result<Brought> {
    let brought = if Rp2040js::find().is_ok() { None } else { Some("rp2040js") };
    if brought.is_some() {
        let found = [node().is_ok(), on_path("npm").is_some()];
        ensure!(
            found == [true; 2],
            "no `node`, version {OLDEST_NODE} or newer, or no `npm`, which rp2040js needs: `{}`",
            by_hand()
        );
        fetch()?;
    }
    say("have", format_args!("rp2040js {VERSION}: {}", Rp2040js::find()?.package.display()));
    Ok(brought)
}

/// The command that installs node and npm.
pub(super) fn by_hand() -> String {
    let manager = Manager::find().map(|manager| manager.by_hand(manager.node, Rights::find()));
    manager.unwrap_or_else(|| "your package manager".to_owned())
}

/// Downloads beside the final place, and moves it there at the end.
fn fetch() -> Result<()> {
    let cache = Cache::open()?;
    let folder = folder().context("no cache folder")?;
    if is_package(&package_in(&folder)) {
        // Another setup has installed it while this one waited.
        return Ok(());
    }
    let draft = cache.folder.join("draft-rp2040js");
    remove(&draft)?;
    fs::create_dir_all(&draft)?;
    for file in ["package.json", "package-lock.json"] {
        fs::copy(repository().join("lab/pico").join(file), draft.join(file))?;
    }
    let mut npm = ambient("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--prefix"]).arg(&draft);
    npm.arg("--cache").arg(draft.join("downloads")).current_dir(&draft);
    step::run_as("npm ci, for rp2040js", &mut npm, None)?;
    ensure!(is_package(&package_in(&draft)), "npm has installed something else");
    remove(&draft.join("downloads"))?;
    remove(&folder)?;
    fs::rename(&draft, &folder)?;
    Ok(())
}
