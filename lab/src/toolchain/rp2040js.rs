//! rp2040js, which runs the Pico: a package in the user's cache folder, and node to run it.

use std::env;
use std::path::{Path, PathBuf};

use super::{Missing, all_on_path, ambient, answer, cache_dir, first_fit, release_of};

/// The one version that the runner in `lab/pico` is written for.
pub const VERSION: &str = "1.4.1";

/// The program that runs it.
pub const NODE: &str = "node";

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
    pub fn find() -> Result<Self, Missing> {
        let (node, _) = node()?;
        let package = folder().map(|folder| package_in(&folder)).filter(|package| is_package(package));
        Ok(Self { node, package: package.ok_or(Missing::Rp2040js)? })
    }
}

/// Whether the Pico is left out.
pub fn is_left_out() -> bool {
    env::var_os(LEFT_OUT).is_some()
}

/// The first suitable node on the PATH, and its version.
///
/// # Errors
/// [`Missing::Node`].
pub fn node() -> Result<(PathBuf, String), Missing> {
    let version_of = |program: &Path| Some(answer(ambient(program).arg("--version"))?.strip_prefix('v')?.to_owned());
    let is_fit = |version: &str| release_of(version).is_some_and(|(major, _)| major >= OLDEST_NODE);
    first_fit(all_on_path(NODE), version_of, is_fit).map_err(|unfit| Missing::Node { unfit })
}

/// The folder of the emulator, whether it exists or not; `None` for a user without a cache folder.
pub fn folder() -> Option<PathBuf> {
    Some(cache_dir()?.join(format!("rp2040js-{VERSION}")))
}

/// Where npm puts the emulator's package if it installs into this folder.
pub fn package_in(folder: &Path) -> PathBuf {
    folder.join("node_modules/rp2040js")
}

/// Whether the folder is the emulator's package, complete.
pub fn is_package(folder: &Path) -> bool {
    folder.join("package.json").is_file() && folder.join("dist/esm/index.js").is_file()
}
