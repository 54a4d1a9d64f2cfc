//! The package of the library: its files and its licences.

use std::fs;

use anyhow::{Context, Result, ensure};
use osculate_lab::toolchain::{ambient, answer};

use crate::{check, repository};

const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Packs the library, builds the package, and checks the licences of everything in it.
pub(super) fn check(skipped: &mut Vec<String>) -> Result<()> {
    if let Err(told) = packed(&["publish", "--dry-run"])? {
        ensure!(is_out_of_reach(&told), "failed: cargo publish --dry-run");
        skipped.push("cargo publish --dry-run: crates.io cannot be reached; `cargo package --offline` was run".into());
        let package = packed(&["package", "--offline"])?;
        ensure!(package.is_ok(), "failed: cargo package --offline");
    }
    own_licences()?;
    licences_of_dependencies()
}

/// As [`check::without_warnings`].
fn packed(command: &[&str]) -> Result<Result<(), String>> {
    let title = format!("cargo {}", command.join(" "));
    let mut cargo = ambient("cargo");
    // Checks the files as they are, so that it can also run before a commit.
    cargo.current_dir(repository()).args(command).args(["--package", "osculate", "--allow-dirty"]);
    check::without_warnings(&title, &mut cargo, "aborting upload due to dry run")
}

/// Whether cargo failed because of the network.
fn is_out_of_reach(told: &str) -> bool {
    ["download", "network", "HTTP request"].iter().any(|word| told.contains(word))
}

/// The licence texts are in the package and equal those of the repository.
fn own_licences() -> Result<()> {
    println!("\n==> the package has its licences and its README");
    let mut cargo = ambient("cargo");
    cargo.current_dir(repository()).args(["package", "--package", "osculate", "--allow-dirty", "--list"]);
    let files = answer(&mut cargo).context("cargo package --list failed")?;
    for name in LICENCES.into_iter().chain(["README.md"]) {
        ensure!(files.lines().any(|file| file == name), "the package has no {name}");
    }
    for name in LICENCES {
        // Symlinks; a checkout without symlink support turns them into files that contain a path.
        let text = |path: &str| fs::read(repository().join(path)).with_context(|| format!("cannot read {path}"));
        ensure!(text(&format!("core/{name}"))? == text(name)?, "core/{name} is not the licence of the repository");
    }
    Ok(())
}

/// Everybody who links the library can do so under one of its own licences.
fn licences_of_dependencies() -> Result<()> {
    println!("\n==> the licences of what the library links");
    let mut tree = ambient("cargo");
    tree.current_dir(repository()).args(["tree", "--package", "osculate", "--all-features", "--target", "all"]);
    tree.args(["--edges", "normal,no-proc-macro", "--no-dedupe", "--prefix", "none", "--format", "{p}: {l}"]);
    let tree = answer(&mut tree).context("cargo tree failed")?;
    ensure!(tree.lines().count() > 5, "cargo tree shows too few crates:\n{tree}");
    let foreign: Vec<_> = tree.lines().filter(|line| !offers_ours(line)).collect();
    ensure!(foreign.is_empty(), "neither under MIT nor under Apache-2.0: {}", foreign.join(", "));
    Ok(())
}

/// Whether a line such as `libm v0.2.16: MIT OR Zlib` offers one of our licences.
fn offers_ours(line: &str) -> bool {
    let licences = line.rsplit_once(": ").map_or("", |(_, licences)| licences);
    // Before the SPDX syntax, a slash meant "or".
    licences.split(" OR ").flat_map(|licence| licence.split('/')).any(|name| ["MIT", "Apache-2.0"].contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_our_licences_must_be_an_alternative() {
        for good in ["a v1: MIT", "a v1: MIT/Apache-2.0", "a v1 (/b: c): Zlib OR Apache-2.0 OR MIT"] {
            assert!(offers_ours(good), "{good}");
        }
        for bad in ["a v1: GPL-3.0-only", "a v1: MIT AND GPL-3.0-only", "a v1: ", "MIT v1"] {
            assert!(!offers_ours(bad), "{bad}");
        }
    }
}
