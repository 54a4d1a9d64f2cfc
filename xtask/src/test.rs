//! `cargo xtask test`: every test there is, on the host and on the emulated target.

use std::time::Instant;

use anyhow::Result;
use osculate_host_tests::lab::toolchain::{Toolchain, ambient};

use crate::check::Tally;
use crate::{check, repository, setup};

/// Installs what is missing, then runs the workspace's tests and the firmware's own.
pub(crate) fn run() -> Result<()> {
    setup::ensure()?;
    println!(
        "two parts; on two cores some 15 minutes the first time, most of it for building, and 5 when all is built"
    );
    let (started, mut tally) = (Instant::now(), Tally::default());
    let result = parts(&mut tally);
    println!("\nafter {} s:\n{tally}", started.elapsed().as_secs());
    result
}

fn parts(tally: &mut Tally) -> Result<()> {
    check::tests(
        "1 of 2: the host's tests, which start QEMU too: cargo test --workspace",
        ambient("cargo").current_dir(repository()).args(["test", "--workspace"]),
        tally,
    )?;
    check::tests(
        "2 of 2: the on-target tests: cargo test, in firmware",
        Toolchain::find()?.cargo().current_dir(repository().join("firmware")).arg("test"),
        tally,
    )
}
