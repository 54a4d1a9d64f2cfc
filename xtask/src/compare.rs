//! `cargo xtask dev compare`: the rules and arithmetics against each other, on equal data. The work is done by an example
//! of the tests' crate, since it needs their references and worlds and no other command does.

use std::ffi::OsString;

use anyhow::Result;
use osculate_lab::toolchain::ambient;

use crate::{check, repository};

/// Passes all arguments on.
pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let mut cargo = ambient("cargo");
    cargo.args(["run", "--package", "osculate-host-tests", "--example", "compare", "--manifest-path"]);
    cargo.arg(repository().join("Cargo.toml"));
    check::run("comparing; the first time, what does it is built", cargo.arg("--").args(arguments))
}
