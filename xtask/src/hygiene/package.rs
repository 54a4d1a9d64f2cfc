//! The packages that are published: their files and their licences.

use std::fs;

use anyhow::{Context, Result, ensure};
use osculate_lab::toolchain::{ambient, answer};

use crate::{check, repository};

const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// What is published: names and folders.
const PUBLISHED: [(&str, &str); 3] =
    [("osculate", "core"), ("checkpoint-ring", "crates/checkpoint-ring"), ("thumb-audit", "crates/thumb-audit")];

/// Packs each, builds the package, and checks the licences of everything in it.
pub(super) fn check(skipped: &mut Vec<String>) -> Result<()> {
    for (name, folder) in PUBLISHED {
        let (passes, told) = packed(name, &["publish", "--dry-run"])?;
        if !passes {
            ensure!(is_out_of_reach(&told), "failed: cargo publish --dry-run, of {name}");
            skipped.push(format!("cargo publish --dry-run of {name}: crates.io cannot be reached; only packed"));
            ensure!(packed(name, &["package", "--offline"])?.0, "failed: cargo package --offline, of {name}");
        }
        own_licences(name, folder)?;
        licences_of_dependencies(name)?;
    }
    Ok(())
}

/// Whether cargo succeeds, and what it says. It does despite warnings: they are an error here.
fn packed(name: &str, command: &[&str]) -> Result<(bool, String)> {
    let title = format!("cargo {}, of {name}", command.join(" "));
    let mut cargo = ambient("cargo");
    // Checks the files as they are, so that it can also run before a commit.
    cargo.current_dir(repository()).args(command).args(["--package", name, "--allow-dirty"]);
    let mut told = String::new();
    let passes = check::passes(&title, &mut cargo, |line| told += &format!("{line}\n"))?;
    let mut warnings = told.lines().filter_map(|line| line.strip_prefix("warning: "));
    let warning = warnings.find(|text| passes && *text != "aborting upload due to dry run");
    ensure!(warning.is_none(), "{title} warns: {}", warning.unwrap_or_default());
    Ok((passes, told))
}

/// Whether cargo failed because of the network.
fn is_out_of_reach(told: &str) -> bool {
    ["download", "network", "HTTP request"].iter().any(|word| told.contains(word))
}

/// The licence texts are in the package and equal those of the repository.
fn own_licences(package: &str, folder: &str) -> Result<()> {
    println!("\n==> {package} has its licences and its README");
    let mut cargo = ambient("cargo");
    cargo.current_dir(repository()).args(["package", "--package", package, "--allow-dirty", "--list"]);
    let files = answer(&mut cargo).context("cargo package --list failed")?;
    for name in LICENCES.into_iter().chain(["README.md"]) {
        ensure!(files.lines().any(|file| file == name), "the package {package} has no {name}");
    }
    for name in LICENCES {
        // Symlinks; a checkout without symlink support turns them into files that contain a path.
        let [own, ours] = [&repository().join(folder), &repository()].map(|folder| fs::read(folder.join(name)).ok());
        ensure!(own == ours, "{folder}/{name} is not the licence of the repository");
    }
    Ok(())
}

/// Everybody who links it can do so under one of its own licences.
fn licences_of_dependencies(name: &str) -> Result<()> {
    println!("\n==> the licences of what {name} links");
    let mut tree = ambient("cargo");
    tree.current_dir(repository()).args(["tree", "--package", name, "--all-features", "--target", "all"]);
    tree.args(["--edges", "normal,no-proc-macro", "--no-dedupe", "--prefix", "none", "--format", "{p}: {l}"]);
    let tree = answer(&mut tree).context("cargo tree failed")?;
    ensure!(tree.lines().count() > 1, "cargo tree shows too few crates:\n{tree}");
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
