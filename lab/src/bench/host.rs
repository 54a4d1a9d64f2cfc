//! The same update on the host, with instructions counted by valgrind's callgrind, so that regressions show without
//! QEMU.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Instructions of one update with n = 32, τ = 32, as run by the example `update`.
///
/// Exact for one compiler and one kind of processor, but different for each: compare it only with itself.
///
/// # Errors
/// If valgrind is missing; the message says how to install it.
pub fn count(example: &Path, arith: &str) -> Result<u64> {
    // Everything but the updates (start-up, rows) is the same in both runs.
    const MORE: u64 = 100;
    let few = collected(example, arith, 1)?;
    let many = collected(example, arith, 1 + MORE)?;
    Ok((many - few) / MORE)
}

fn collected(example: &Path, arith: &str, updates: u64) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(example)
        .args([arith, &updates.to_string()])
        .output()
        .context("cannot start `valgrind`: install it, for example with `apt-get install valgrind`")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "valgrind failed:\n{said}");
    let number = said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    number.with_context(|| format!("valgrind did not say how many instructions it has counted:\n{said}"))
}
