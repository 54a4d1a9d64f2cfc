//! `cargo xtask test`: every test there is, on the host and on the emulated target.

use anyhow::Result;
use osculate_host_tests::lab::toolchain::{Toolchain, ambient};

use crate::{check, repository, setup};

/// Installs what is missing, then runs the workspace's tests and the firmware's own.
pub(crate) fn run() -> Result<()> {
    setup::ensure()?;
    println!("this takes some 20 minutes on two cores");
    check::run(
        "the host's tests, which start QEMU too: cargo test --workspace",
        ambient("cargo").current_dir(repository()).args(["test", "--workspace"]),
    )?;
    check::run(
        "the on-target tests: cargo test, in firmware",
        Toolchain::find()?.cargo().current_dir(repository().join("firmware")).arg("test"),
    )
}
