//! `cargo xtask dev fuzz`: arbitrary bits for every public call. The fuzzer is large, so it is built only on request.

use std::ffi::OsString;

use anyhow::Result;
use osculate_lab::toolchain::ambient;

use crate::{check, repository};

/// Passes all arguments on.
pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let mut cargo = ambient("cargo");
    cargo.args(["run", "--package", "osculate-fuzz", "--manifest-path"]).arg(repository().join("Cargo.toml"));
    check::run("fuzzing; the first time, what does it is built", cargo.arg("--").args(arguments))
}
