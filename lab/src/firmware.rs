//! Building the firmware's binaries for a board.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::boards::Board;
use super::repository::repository;
use super::toolchain;

/// Builds the program `bin` of `firmware/src/bin`, `firmware/examples` or, with its own folder, `firmware/tests` for `board`, optimised, with `features` besides
/// the board's own, and returns its ELF file. If it is up to date, nothing is rebuilt (about 0.1 s).
///
/// # Errors
/// If no compiler for Cortex-M is found (the message says what to install), or if the build fails (with the compiler's
/// messages).
pub fn build(board: &Board, bin: &str, features: &[&str]) -> Result<PathBuf> {
    let firmware = repository().join("firmware");
    let is_example =
        [format!("examples/{bin}.rs"), format!("tests/{bin}/main.rs")].iter().any(|path| firmware.join(path).exists());
    compile(board, if is_example { "example" } else { "bin" }, bin, features)
}

/// The binary that is flashed to real boards.
pub const APPLICATION: &str = "nexting";

/// The features of the [application](APPLICATION), besides the board's own. A real board has no host that answers
/// semihosting, and would stop at the first call: it logs by RTT.
pub fn application_features(board: &Board) -> &'static [&'static str] {
    if board.chip.is_some() { &["rtt"] } else { &[] }
}

/// Whether the firmware has what the [application](APPLICATION) needs on this board: a sensor, real or not.
pub fn has_application(board: &Board) -> bool {
    board.chip.is_some() || board.sensors
}

/// Builds the on-target test `test` of `firmware/tests`; everything else as in [`build`].
pub fn build_test(board: &Board, test: &str) -> Result<PathBuf> {
    compile(board, "test", test, &[])
}

/// `cargo SUBCOMMAND` for the firmware of `board`, optimised, with `features` besides the board's own. Tests, commands
/// and manual runs share their builds, so nothing is built twice.
pub fn cargo(board: &Board, subcommand: &str, features: &[&str]) -> Result<Command> {
    let folder = repository().join("firmware");
    let mut cargo = toolchain::cargo()?;
    cargo
        .current_dir(&folder)
        .args([subcommand, "--release"])
        .args(["--target", &board.target, "--no-default-features", "--features", &board.feature()])
        // Unless it is for a real board, it talks to the emulator.
        .args((!features.contains(&"rtt")).then_some(["--features", "host"]).into_iter().flatten())
        .args(features.iter().flat_map(|feature| ["--features", feature]))
        .args(features.contains(&"bench").then_some(["--config", BINARIES_FAST]).into_iter().flatten())
        .env("CARGO_BUILD_BUILD_DIR", folder.join("target"))
        .env("CARGO_TARGET_DIR", finished(board, features));
    Ok(cargo)
}

/// What the bench measures is in the binaries' own crate, since learners are generic.
const BINARIES_FAST: &str = "profile.release.package.osculate-firmware.opt-level=3";

/// The folder of the final binaries. Boards share the compiled artifacts of their target, but two boards of one target,
/// or two sets of features, must not overwrite each other's binaries: tests run at the same time.
fn finished(board: &Board, features: &[&str]) -> PathBuf {
    let folder = repository().join("firmware/target/boards").join(&board.name);
    features.iter().fold(folder, |folder, feature| folder.join(feature))
}

fn compile(board: &Board, kind: &str, name: &str, features: &[&str]) -> Result<PathBuf> {
    let mut cargo = cargo(board, "build", features)?;
    cargo.arg("--message-format=json-render-diagnostics").args([&format!("--{kind}"), name]);
    let output = cargo.output().context("cannot start cargo")?;

    ensure!(
        output.status.success(),
        "building `{name}` for {} failed:\n{}",
        board.name,
        String::from_utf8_lossy(&output.stderr)
    );
    let messages = String::from_utf8(output.stdout).context("cargo's messages are not UTF-8")?;
    // Building a test also builds every application, since cargo lets tests run them.
    let mut artifacts = messages.lines().filter_map(|line| serde_json::from_str::<Artifact>(line).ok());
    let artifact = artifacts.find(|artifact| artifact.target.name == name && artifact.target.kind == [kind]);
    Ok(artifact.with_context(|| format!("cargo reported success but no {kind} `{name}`"))?.executable)
}

/// The fields used here of cargo's message about an executable. Its other messages do not parse as this.
#[derive(Deserialize)]
struct Artifact {
    target: ArtifactTarget,
    executable: PathBuf,
}

#[derive(Deserialize)]
struct ArtifactTarget {
    name: String,
    kind: Vec<String>,
}
