//! `cargo xtask paper`, `cargo xtask rivals` and `cargo xtask dev compare`: the experiments are a crate of their own, since they
//! need a solver of equations and references that no other command does.

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;
use osculate_lab::toolchain::ambient;

use crate::{check, repository};

/// What is passed on.
#[derive(Args)]
pub(crate) struct PassedOn {
    /// See `--help`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Runs an experiment.
pub(crate) fn run(name: &str, options: &PassedOn) -> Result<()> {
    let mut cargo = ambient("cargo");
    cargo.args(["run", "--package", "osculate-experiments", "--manifest-path"]).arg(repository().join("Cargo.toml"));
    check::run("the first time, the experiments are built", cargo.args(["--", name]).args(&options.arguments))
}
