//! `cargo xtask dev hygiene`: what users of the library depend on beyond its tested behaviour. Every combination of
//! features builds, the oldest promised compiler builds it, the package is complete, the documentation has no dead
//! links, and Miri finds nothing.
//!
//! A check that cannot run is listed at the end, with the command that brings what it lacks.

use std::{fs, iter};

use anyhow::{Context, Result, ensure};
use osculate_lab::toolchain::{ambient, answer};
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
    let manifest = manifest("core/Cargo.toml")?;
    let mut skipped = Vec::new();
    features(&manifest)?;
    oldest_compiler(&mut skipped)?;
    package::check(&mut skipped)?;
    documentation(&manifest)?;
    // Every memory access and integer operation of the library's unit tests.
    if answer(ambient("rustup").args(["run", "nightly", "cargo", "miri", "--version"])).is_none() {
        skipped.push("Miri: rustup toolchain install nightly --component miri,rust-src".into());
    } else {
        words(&format!("rustup run nightly cargo miri test --package osculate --lib --target {MIRI_TARGET}"), "")?;
    }
    match skipped.as_slice() {
        [] => println!("\nHygiene: every check was made."),
        _ => println!("\nHygiene: what was checked is clean. NOT CHECKED here:\n  {}", skipped.join("\n  ")),
    }
    Ok(())
}

/// Runs a command, its words separated by blanks.
fn words(command: &str, rustdoc_flags: &str) -> Result<()> {
    let mut words = command.split_whitespace();
    let mut program = ambient(words.next().context("no command")?);
    program.env("RUSTDOCFLAGS", rustdoc_flags);
    check::run(command, program.args(words).current_dir(repository()))
}

/// A `Cargo.toml`.
fn manifest(path: &str) -> Result<Table> {
    let text = fs::read_to_string(repository().join(path)).with_context(|| format!("cannot read {path}"))?;
    text.parse().with_context(|| format!("cannot understand {path}"))
}

/// A value by its path, such as `package.name`.
fn get<'m>(manifest: &'m Table, path: &str) -> Option<&'m toml::Value> {
    let mut keys = path.split('.');
    let first = manifest.get(keys.next()?);
    keys.fold(first, |value, key| value?.get(key))
}

/// Builds with no feature, each one alone, and all, for the host and the smallest target, warnings denied. Then runs the
/// library's own tests with the features that change results.
fn features(manifest: &Table) -> Result<()> {
    let features = get(manifest, "features").and_then(toml::Value::as_table).context("the library has no features")?;
    let alone = features.keys().filter(|name| *name != "default").map(|name| format!("--features={name}"));
    for selection in iter::once(String::new()).chain(alone).chain(["--all-features".to_owned()]) {
        for target in ["", &format!("--target {SMALLEST}")] {
            // Up to code generation: assembly is checked only there.
            let library = "cargo rustc --package osculate --lib --no-default-features";
            words(&format!("{library} {selection} {target} -- -D warnings"), "")?;
        }
    }
    words("cargo test --package osculate --features micromath", "")?;
    // Nothing is logged, so linking needs no logger.
    words("cargo test --package osculate --lib --all-features", "")
}

/// Builds everything that is promised to build with the oldest compiler.
fn oldest_compiler(skipped: &mut Vec<String>) -> Result<()> {
    println!("\n==> one oldest compiler is promised everywhere: {OLDEST}");
    let stated = manifest("firmware/Cargo.toml")?;
    let stated = get(&stated, "package.rust-version").and_then(toml::Value::as_str);
    ensure!(stated == Some(OLDEST), "the firmware has {stated:?} for its rust-version");
    let readme = fs::read_to_string(repository().join("README.md"))?;
    let promise = format!("need Rust ({OLDEST} or newer)");
    ensure!(readme.contains(&promise), "the README does not say: {promise}");

    let targets = answer(ambient("rustup").args(["target", "list", "--installed", "--toolchain", OLDEST]));
    if !targets.is_some_and(|targets| targets.contains(SMALLEST)) {
        let install = format!("rustup toolchain install {OLDEST} --profile minimal --target {SMALLEST}");
        skipped.push(format!("Rust {OLDEST}, the oldest that is promised: {install}"));
        return Ok(());
    }
    let check = format!("rustup run {OLDEST} cargo check --all-features --package osculate");
    words(&format!("{check} --package xtask"), "")?;
    words(&format!("{check} --target {SMALLEST}"), "")
}

/// Denies dead links and the like, both in the public documentation, for every target that docs.rs shows, and in the
/// project's internal documentation, where links to private items are allowed.
fn documentation(manifest: &Table) -> Result<()> {
    let targets = get(manifest, "package.metadata.docs.rs.targets").and_then(toml::Value::as_array);
    let targets = targets.context("the library names no targets for docs.rs")?.iter().filter_map(toml::Value::as_str);
    let targets = targets.map(|target| format!("--target {target}"));
    for target in iter::once(String::new()).chain(targets) {
        words(&format!("cargo doc --package osculate --no-deps --all-features {target}"), "-D warnings")?;
    }
    let private = "cargo doc --workspace --no-deps --document-private-items";
    words(private, "-D warnings -A rustdoc::private-intra-doc-links")
}
