//! `cargo xtask png`: a picture as pixels. What draws it is built the first time it is asked for.

use std::path::PathBuf;

use anyhow::Result;
use osculate_lab::toolchain::ambient;

use crate::{check, repository};

/// Draws each file, into one of the same name beside it.
pub(crate) fn run(files: &[PathBuf]) -> Result<()> {
    let mut cargo = ambient("cargo");
    cargo.args(["run", "--package", "xtask-png", "--manifest-path"]).arg(repository().join("Cargo.toml"));
    check::run("drawing; the first time, what draws is built", cargo.arg("--").args(files))
}
