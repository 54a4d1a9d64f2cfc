//! `cargo xtask lint`: formatting and lints of host crates and firmware, warnings denied.

use anyhow::Result;
use osculate_lab::boards::Board;
use osculate_lab::toolchain::{Toolchain, ambient};

use crate::{check, repository, setup};

const DENY: [&str; 3] = ["--", "-D", "warnings"];

/// Checks everything, stopping at the first failure.
pub(crate) fn run() -> Result<()> {
    setup::run()?;
    let firmware = repository().join("firmware");
    for folder in [&repository(), &firmware] {
        let title = format!("cargo fmt --all --check, in {}", folder.display());
        check::run(&title, ambient("cargo").current_dir(folder).args(["fmt", "--all", "--check"]))?;
    }
    let mut host = ambient("cargo");
    host.current_dir(repository()).args(["clippy", "--workspace", "--all-targets"]).args(DENY);
    check::run("clippy on the host crates", &mut host)?;
    for board in Board::buildable() {
        // The library itself: the firmware only depends on it, and its target kernels are compiled nowhere else.
        let mut library = Toolchain::find()?.cargo();
        library.current_dir(repository()).args(["clippy", "--package", "osculate", "--lib", "--target", &board.target]);
        check::run(&format!("clippy on the library for {}", board.core), library.args(DENY))?;
        let mut target = Toolchain::find()?.cargo();
        target.current_dir(&firmware).args(["clippy", "--lib", "--bins", "--tests", "--target", &board.target]);
        target
            .args(["--no-default-features", "--features", &board.feature(), "--features", "bench,embassy"])
            .args(DENY);
        check::run(&format!("clippy on the firmware for {}", board.name), &mut target)?;
    }
    Ok(())
}
