//! `cargo xtask lint`: formatting and lints of host crates and firmware, warnings denied.

use anyhow::Result;
use osculate_lab::boards::Board;
use osculate_lab::firmware;
use osculate_lab::toolchain::{self, ambient};

use crate::{check, repository, setup};

const DENY: [&str; 3] = ["--", "-D", "warnings"];
/// The features of the firmware for an emulator.
const CORES: &[&str] = &["host", "bench", "embassy"];

/// Checks everything, stopping at the first failure.
pub(crate) fn run() -> Result<()> {
    setup::ensure_compiler()?;
    let folder = repository().join("firmware");
    for folder in [&repository(), &folder] {
        let title = format!("cargo fmt --all --check, in {}", folder.display());
        check::run(&title, ambient("cargo").current_dir(folder).args(["fmt", "--all", "--check"]))?;
    }
    let mut host = ambient("cargo");
    host.current_dir(repository()).args(["clippy", "--workspace", "--all-targets"]).args(DENY);
    check::run("clippy on the host crates", &mut host)?;
    for board in Board::buildable() {
        // The library itself: the firmware only depends on it, and its target kernels are compiled nowhere else.
        // Features choose some of these.
        for features in [None, Some("--all-features")] {
            let mut library = toolchain::cargo()?;
            let only = ["clippy", "--package", "osculate", "--lib", "--target", &board.target];
            library.current_dir(repository()).args(only).args(features).args(DENY);
            let features = features.unwrap_or_default();
            check::run(&format!("clippy on the library for {} {features}", board.core), &mut library)?;
        }
        // The tests and benches on the target are the cores'; other boards have what is flashed to them.
        let emulated = Board::cores().any(|core| core.name == board.name).then_some(CORES);
        let flashed = board.chip.as_ref().map(|_| firmware::application_features(board));
        for features in emulated.into_iter().chain(flashed) {
            let mut target = toolchain::cargo()?;
            target.current_dir(&folder).args(["clippy", "--lib", "--bins", "--target", &board.target]);
            target.args((features == CORES).then_some(["--tests", "--examples"]).into_iter().flatten());
            target.args(["--no-default-features", "--features", &board.feature()]);
            target.args(features.iter().flat_map(|feature| ["--features", feature])).args(DENY);
            check::run(&format!("clippy on the firmware for {}, {}", board.name, features[0]), &mut target)?;
        }
    }
    Ok(())
}
