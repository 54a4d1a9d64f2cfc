//! `cargo xtask fuzz`: arbitrary bits for whatever people call. What does it is large, and built when it is asked for.

use std::ffi::OsString;

use anyhow::Result;
use osculate_lab::toolchain::ambient;

use crate::{check, repository};

/// Hands all arguments over.
pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let mut cargo = ambient("cargo");
    cargo.args(["run", "--package", "xtask-fuzz", "--manifest-path"]).arg(repository().join("Cargo.toml"));
    check::run("fuzzing; the first time, what does it is built", cargo.arg("--").args(arguments))
}
