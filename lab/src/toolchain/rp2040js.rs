//! rp2040js, which runs the Pico: a package in the user's cache folder, and node to run it.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use super::{
    Missing, all_on_path, ambient, answer, cache_dir,
    emulator::{Source, first_fit},
};

/// The one version that the runner in `lab/pico` is written for.
pub const VERSION: &str = "1.4.1";

/// The program that runs it.
pub const NODE: &str = "node";

/// The oldest supported major version of node.
pub const OLDEST_NODE: u32 = 18;

/// The emulator and what runs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rp2040js {
    /// The program to start.
    pub node: Node,
    /// The emulator's package.
    pub package: PathBuf,
}

/// A node that runs and is new enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The program to start.
    pub program: PathBuf,
    /// Where it comes from.
    pub source: Source,
    /// The version it reports, such as `20.20.2`.
    pub version: String,
}

impl Rp2040js {
    /// Finds both. Cached per process.
    ///
    /// # Errors
    /// [`Missing::Rp2040js`], with the part that is missing.
    pub fn find() -> Result<Self, Missing> {
        static FOUND: OnceLock<Rp2040js> = OnceLock::new();
        if let Some(found) = FOUND.get() {
            return Ok(found.clone());
        }
        // What is missing may be installed meanwhile, so only success is cached.
        let node = Node::find()?;
        let missing = || Missing::Rp2040js { unfit: vec!["its package is not installed".into()] };
        let package = folder().map(|folder| package_in(&folder)).filter(|package| is_package(package));
        let found = Self { node, package: package.ok_or_else(missing)? };
        Ok(FOUND.get_or_init(|| found).clone())
    }
}

impl Node {
    /// The first suitable one, in the order of [`Source`].
    ///
    /// # Errors
    /// [`Missing::Rp2040js`], with a list of what was found instead.
    pub fn find() -> Result<Self, Missing> {
        let private = private_node().map(|folder| folder.join(NODE)).filter(|program| program.exists());
        let on_path = all_on_path(NODE).map(|program| (Source::Path, program));
        let candidates = on_path.chain(private.map(|program| (Source::Private, program)));
        let (source, program, version) = first_fit(candidates, node_version, is_new_enough).map_err(|mut unfit| {
            unfit.insert(0, format!("it needs `{NODE}`, version {OLDEST_NODE} or newer"));
            Missing::Rp2040js { unfit }
        })?;
        Ok(Self { program, source, version })
    }
}

/// The folder of the emulator, whether it exists or not; `None` for a user without a cache folder.
pub fn folder() -> Option<PathBuf> {
    Some(cache_dir()?.join(format!("rp2040js-{VERSION}")))
}

/// The folder of the private node, whether it exists or not; `None` for a user without a cache folder.
pub fn private_node() -> Option<PathBuf> {
    Some(cache_dir()?.join(NODE))
}

/// Where npm puts the emulator's package if it installs into this folder.
pub fn package_in(folder: &Path) -> PathBuf {
    folder.join("node_modules/rp2040js")
}

/// Whether the folder is the emulator's package, complete.
pub fn is_package(folder: &Path) -> bool {
    folder.join("package.json").is_file() && folder.join("dist/esm/index.js").is_file()
}

/// The version reported by `program --version`; `None` if it does not run or prints something else.
pub fn node_version(program: &Path) -> Option<String> {
    let said = answer(ambient(program).arg("--version"))?;
    Some(said.strip_prefix('v').filter(|version| major_of(version).is_some())?.to_owned())
}

/// Whether this version of node or of its package (`18.20.4+dfsg-1`) is new enough.
pub fn is_new_enough(version: &str) -> bool {
    major_of(version).is_some_and(|major| major >= OLDEST_NODE)
}

fn major_of(version: &str) -> Option<u32> {
    let upstream = version.split_once(':').map_or(version, |(_, upstream)| upstream);
    upstream.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eighteen_and_newer_will_do() {
        for version in ["18.0.0", "20.20.2", "18.20.4+dfsg-1~deb12u1", "1:22.1.0"] {
            assert!(is_new_enough(version), "{version}");
        }
        for version in ["16.20.0", "12.22.12~dfsg-1", "", "unknown"] {
            assert!(!is_new_enough(version), "{version}");
        }
    }

    #[test]
    fn what_is_missing_names_the_command_that_brings_it() {
        let text = Missing::Rp2040js { unfit: vec!["its package is not installed".into()] }.to_string();
        assert_eq!(
            text,
            "no rp2040js 1.4.1, which runs the Pico (its package is not installed): run `cargo xtask setup`"
        );
    }

    #[test]
    fn a_folder_that_is_not_complete_is_no_package() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("package.json"), "{}").unwrap();
        assert!(!is_package(folder.path()));
    }
}
