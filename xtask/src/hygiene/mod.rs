//! `cargo xtask dev hygiene`: what users of the library depend on beyond its tested behaviour. Every combination of
//! features builds, the oldest promised compiler builds it, the package is complete, the documentation has no dead
//! links, and Miri finds nothing.
//!
//! Missing tools are installed if rustup can; a check that cannot run is listed at the end.

use std::{fs, iter, process::Command};

use anyhow::{Context, Result, ensure};
use osculate_lab::toolchain::{self, ambient};
use toml::Table;

use crate::{check, repository, setup};

mod package;

/// The oldest promised compiler, from the workspace's manifest.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// The target most unlike the host: no FPU, no 64-bit product, no atomic swap.
const SMALLEST: &str = "thumbv6m-none-eabi";

/// Pointers have 32 bits, as on the chips. And libm is plain Rust there; on x86-64 it uses SQRTSS, which Miri lacks.
const MIRI_TARGET: &str = "arm-unknown-linux-gnueabi";

/// Runs every check, stopping at the first failure.
pub(crate) fn run() -> Result<()> {
    setup::ensure()?;
    let manifest = Manifest::read("core/Cargo.toml")?;
    let mut skipped = Vec::new();
    features(&manifest)?;
    oldest_compiler(&mut skipped)?;
    package::check(&mut skipped)?;
    documentation(&manifest)?;
    miri(&mut skipped)?;
    match skipped.as_slice() {
        [] => println!("\nHygiene: every check was made."),
        _ => println!("\nHygiene: what was checked is clean. NOT CHECKED here:\n  {}", skipped.join("\n  ")),
    }
    Ok(())
}

/// A `Cargo.toml`.
struct Manifest(Table);

impl Manifest {
    fn read(path: &str) -> Result<Self> {
        let text = fs::read_to_string(repository().join(path)).with_context(|| format!("cannot read {path}"))?;
        Ok(Self(text.parse().with_context(|| format!("cannot understand {path}"))?))
    }

    /// A value by its path, such as `package.name`.
    fn get(&self, path: &str) -> Option<&toml::Value> {
        let mut keys = path.split('.');
        let first = self.0.get(keys.next()?);
        keys.fold(first, |value, key| value?.get(key))
    }

    fn features(&self) -> Result<Vec<&str>> {
        let table = self.get("features").and_then(toml::Value::as_table).context("the library has no features")?;
        Ok(table.keys().map(String::as_str).filter(|name| *name != "default").collect())
    }
}

/// No features, each one alone, and all: a label, and cargo's arguments.
fn selections(features: &[&str]) -> Vec<(String, Vec<String>)> {
    let alone = |feature: &&str| {
        (format!("`{feature}` alone"), vec!["--no-default-features".into(), "--features".into(), (*feature).into()])
    };
    let mut all = vec![("no feature".into(), vec!["--no-default-features".into()])];
    all.extend(features.iter().map(alone));
    all.push(("all features".into(), vec!["--all-features".into()]));
    all
}

/// `cargo COMMAND` on the library, for the host or for a target.
fn library(command: &str, target: Option<&str>) -> Result<Command> {
    let mut cargo = toolchain::cargo()?;
    cargo.current_dir(repository()).args([command, "--package", "osculate"]);
    cargo.args(target.map(|target| ["--target", target]).into_iter().flatten());
    Ok(cargo)
}

fn place(target: Option<&str>) -> &str {
    target.unwrap_or("the host")
}

/// Builds every selection of features for the host and the smallest target, warnings denied. Then runs the library's
/// own tests with the features that change results.
fn features(manifest: &Manifest) -> Result<()> {
    for (name, arguments) in selections(&manifest.features()?) {
        for target in [None, Some(SMALLEST)] {
            // Up to code generation: assembly is checked only there.
            let mut build = library("rustc", target)?;
            build.arg("--lib").args(&arguments).args(["--", "-D", "warnings"]);
            check::run(&format!("the library with {name}, for {}", place(target)), &mut build)?;
        }
    }
    check::run(
        "the library's tests and examples with `micromath`, and its errors",
        library("test", None)?.args(["--features", "micromath"]),
    )?;
    // Nothing is logged, so linking needs no logger.
    check::run("the library's unit tests with all features", library("test", None)?.args(["--lib", "--all-features"]))
}

/// Builds everything that is promised to build with the oldest compiler.
fn oldest_compiler(skipped: &mut Vec<String>) -> Result<()> {
    println!("\n==> one oldest compiler is promised everywhere: {OLDEST}");
    let stated = Manifest::read("firmware/Cargo.toml")?;
    let stated = stated.get("package.rust-version").and_then(toml::Value::as_str);
    ensure!(stated == Some(OLDEST), "the firmware has {stated:?} for its rust-version");
    let readme = fs::read_to_string(repository().join("README.md"))?;
    let promise = format!("need Rust ({OLDEST} or newer)");
    ensure!(readme.contains(&promise), "the README does not say: {promise}");

    if let Err(reason) = setup::rustup::bring_toolchain(OLDEST, &[SMALLEST]) {
        skipped.push(format!("Rust {OLDEST}, the oldest that is promised: {reason:#}"));
        return Ok(());
    }
    let cargo = || rustup_cargo(OLDEST);
    check::run(
        &format!("the library and the commands with Rust {OLDEST}, for the host"),
        cargo().current_dir(repository()).args([
            "check",
            "--package",
            "osculate",
            "--package",
            "xtask",
            "--all-features",
        ]),
    )?;
    let library = ["check", "--package", "osculate", "--all-features", "--target", SMALLEST];
    check::run(
        &format!("the library with Rust {OLDEST}, for {SMALLEST}"),
        cargo().current_dir(repository()).args(library),
    )
}

/// The cargo of a rustup toolchain.
fn rustup_cargo(toolchain: &str) -> Command {
    let mut command = ambient("rustup");
    command.args(["run", toolchain, "cargo"]);
    command
}

/// Denies dead links and the like, both in the public documentation, for every target that docs.rs shows, and in the
/// project's internal documentation.
fn documentation(manifest: &Manifest) -> Result<()> {
    let targets = manifest.get("package.metadata.docs.rs.targets").and_then(toml::Value::as_array);
    let targets = targets.context("the library names no targets for docs.rs")?.iter().filter_map(toml::Value::as_str);
    for target in iter::once(None).chain(targets.map(Some)) {
        let mut public = library("doc", target)?;
        public.args(["--no-deps", "--all-features"]).env("RUSTDOCFLAGS", "-D warnings");
        check::run(&format!("the library's documentation, as on docs.rs, for {}", place(target)), &mut public)?;
    }
    // Links to private items are allowed here.
    let mut own = ambient("cargo");
    own.current_dir(repository()).env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private-intra-doc-links");
    own.args(["doc", "--workspace", "--no-deps", "--document-private-items"]);
    check::run("the documentation of all host crates, private items included", &mut own)
}

/// Runs the library's unit tests in Miri, which checks every memory access and integer operation; needs a nightly
/// compiler.
fn miri(skipped: &mut Vec<String>) -> Result<()> {
    if let Err(reason) = setup::rustup::bring_miri() {
        skipped.push(format!("Miri: {reason:#}"));
        return Ok(());
    }
    let mut miri = rustup_cargo("nightly");
    miri.current_dir(repository()).args(["miri", "test", "--package", "osculate", "--lib", "--target", MIRI_TARGET]);
    check::run("the library's unit tests under Miri, as on a 32-bit Arm", &mut miri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_taken_alone_and_together() {
        let names: Vec<_> = selections(&["a", "b"]).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["no feature", "`a` alone", "`b` alone", "all features"]);
    }

    #[test]
    fn the_library_names_its_features_and_the_targets_of_its_documentation() {
        let manifest = Manifest::read("core/Cargo.toml").unwrap();
        assert_eq!(manifest.features().unwrap(), ["armv8m-dsp", "defmt", "fixed-point", "micromath"]);
        assert!(manifest.get("package.metadata.docs.rs.targets").is_some_and(|targets| targets.is_array()));
        assert!(manifest.get("package.metadata.docs.js").is_none());
    }
}
