//! The *matched* toolchain: a distribution's compiler with a `core` for Cortex-M built from the same sources.
//!
//! For machines on which rustup cannot download the targets. A compiler accepts only the `core` of its exact version,
//! so the folder carries a stamp with the compiler's full version and is ignored once that changes.
//!
//! ```text
//! toolchain-RELEASE/           in the user's cache folder
//!   stamp                      layout and `rustc -vV` it was built for
//!   bin/                       rustc, rustdoc, cargo, clippy: the distribution's, told to use this folder
//!   lib/rustlib/TARGET/lib/    core, alloc, compiler_builtins for each Cortex-M target
//!   lib/rustlib/HOST/lib       the distribution's `std` for the host (symlink)
//!   lib/rustlib/HOST/bin/      rust-lld: the distribution's lld (symlink)
//! ```

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{ambient, answer, cache_dir, is_executable, missing_targets};

/// The prefix of the folders of matched toolchains in [`cache_dir`].
pub const FOLDER_PREFIX: &str = "toolchain-";

/// Where distributions install their compiler. A full path, because rustup's compiler often comes first on the PATH.
const DISTRIBUTION_BIN: &str = "/usr/bin";

/// Incremented when `cargo xtask setup` builds the folder differently, so that older ones are rebuilt.
const LAYOUT: u32 = 1;

/// The distribution's compiler, by its own description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    description: String,
    /// Version number, such as `1.96.0`.
    pub release: String,
    /// Full commit hash of the sources it was built from.
    pub commit: String,
    /// Target triple of this machine.
    pub host: String,
}

impl Compiler {
    /// The distribution's compiler, if there is one that runs.
    pub fn find() -> Option<Self> {
        Self::parse(&answer(ambient(distribution("rustc")).arg("-vV"))?)
    }

    /// Parses the output of `rustc -vV`.
    fn parse(description: &str) -> Option<Self> {
        let field = |name: &str| {
            let value = description.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            value.map(|value| value.trim().to_owned())
        };
        Some(Self {
            description: description.to_owned(),
            release: field("release")?,
            commit: field("commit-hash")?,
            host: field("host")?,
        })
    }

    /// The text that marks a folder as complete and built for this exact compiler.
    pub fn stamp(&self) -> String {
        format!("layout: {LAYOUT}\n{}\n", self.description)
    }
}

/// The distribution's path of this program.
pub fn distribution(program: &str) -> PathBuf {
    Path::new(DISTRIBUTION_BIN).join(program)
}

/// The folder for this compiler, which need not exist; `None` for a user without a cache folder.
pub fn folder(compiler: &Compiler) -> Option<PathBuf> {
    Some(cache_dir()?.join(format!("{FOLDER_PREFIX}{}", compiler.release)))
}

/// The file that holds [`Compiler::stamp`].
pub fn stamp_file(folder: &Path) -> PathBuf {
    folder.join("stamp")
}

/// Where rustc expects the linker for bare targets.
pub fn linker_file(folder: &Path, compiler: &Compiler) -> PathBuf {
    folder.join("lib/rustlib").join(&compiler.host).join("bin/rust-lld")
}

/// Whether the folder holds a toolchain for this exact compiler, with all its parts still in place.
pub fn is_complete(folder: &Path, compiler: &Compiler) -> bool {
    let stamped = fs::read_to_string(stamp_file(folder)).is_ok_and(|stamp| stamp == compiler.stamp());
    // The links point to packages that may have been removed.
    let programs = ["bin/rustc", "bin/cargo"].iter().all(|program| is_executable(&folder.join(program)));
    stamped && programs && is_executable(&linker_file(folder, compiler)) && missing_targets(folder).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DESCRIPTION: &str = "rustc 1.96.0 (ac68faa20 2026-05-25)\nbinary: rustc\ncommit-hash: ac68faa20c58\n\
        commit-date: 2026-05-25\nhost: x86_64-unknown-linux-gnu\nrelease: 1.96.0\nLLVM version: 22.1.8";

    #[test]
    fn reads_the_compilers_description() {
        let compiler = Compiler::parse(DESCRIPTION).unwrap();
        assert_eq!(compiler.release, "1.96.0");
        assert_eq!(compiler.commit, "ac68faa20c58");
        assert_eq!(compiler.host, "x86_64-unknown-linux-gnu");
        assert_eq!(Compiler::parse("rustc 1.96.0"), None);
    }

    #[test]
    fn the_stamp_changes_with_any_line_of_the_description() {
        let compiler = Compiler::parse(DESCRIPTION).unwrap();
        let other_llvm = Compiler::parse(&DESCRIPTION.replace("22.1.8", "23.0.0")).unwrap();
        assert_ne!(compiler.stamp(), other_llvm.stamp());
    }

    #[test]
    fn a_folder_without_stamp_is_not_complete() {
        assert!(!is_complete(Path::new("/nonexistent"), &Compiler::parse(DESCRIPTION).unwrap()));
    }
}
