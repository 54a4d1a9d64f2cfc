//! rp2040js, which runs the Pico: a package in the user's cache folder, and node to run it.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};

use super::{all_on_path, ambient, answer, cache_dir, first_fit};

/// The one version that the runner in `lab/pico` is written for.
pub const VERSION: &str = "1.4.1";

/// The oldest supported major version of node.
pub const OLDEST_NODE: u32 = 18;

/// Set by `cargo xtask test` where rp2040js cannot run: tests of all boards then leave out the Pico.
pub const LEFT_OUT: &str = "OSCULATE_WITHOUT_PICO";

/// The emulator and what runs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rp2040js {
    /// The program to start.
    pub node: PathBuf,
    /// The emulator's package.
    pub package: PathBuf,
}

impl Rp2040js {
    /// Finds both.
    ///
    /// # Errors
    /// The part that is missing.
    pub fn find() -> Result<Self> {
        let (node, _) = node()?;
        let package = folder().and_then(|folder| package_in(&folder));
        let package = package.with_context(|| format!("no rp2040js {VERSION}: run `cargo xtask setup --pico`"))?;
        Ok(Self { node, package })
    }
}

/// Whether the Pico is left out.
pub fn is_left_out() -> bool {
    env::var_os(LEFT_OUT).is_some()
}

/// The first suitable node on the PATH, and its version.
///
/// # Errors
/// If there is none; lists what was found instead.
pub fn node() -> Result<(PathBuf, String)> {
    let version_of = |program: &Path| Some(answer(ambient(program).arg("--version"))?.strip_prefix('v')?.to_owned());
    first_fit(all_on_path("node"), version_of, OLDEST_NODE).map_err(|unfit| {
        anyhow!("no `node`, version {OLDEST_NODE} or newer{unfit}: install node, from https://nodejs.org")
    })
}

/// The folder of the emulator, whether it exists or not; `None` for a user without a cache folder.
pub fn folder() -> Option<PathBuf> {
    Some(cache_dir()?.join(format!("rp2040js-{VERSION}")))
}

/// The emulator's package where npm puts it if it installs into this folder, if it is complete.
pub fn package_in(folder: &Path) -> Option<PathBuf> {
    let package = folder.join("node_modules/rp2040js");
    let is_complete = ["package.json", "dist/esm/index.js"].iter().all(|file| package.join(file).is_file());
    is_complete.then_some(package)
}
