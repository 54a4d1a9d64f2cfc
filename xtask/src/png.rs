//! `cargo xtask png`: converts a picture to pixels. The renderer is built on first use.

use std::path::PathBuf;

use anyhow::Result;
use osculate_lab::toolchain::ambient;

use crate::{check, repository};

/// Converts each file, into a PNG of the same name beside it.
pub(crate) fn run(files: &[PathBuf]) -> Result<()> {
    let mut cargo = ambient("cargo");
    cargo.args(["run", "--package", "xtask-png", "--manifest-path"]).arg(repository().join("Cargo.toml"));
    check::run("drawing; the first time, what draws is built", cargo.arg("--").args(files))
}
