//! The same update on the host, its instructions counted by valgrind's callgrind: regressions show without QEMU, too.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Instructions of one update with n = 32, τ = 32, by the example `update`.
///
/// Exact for one compiler and one kind of processor, but another for each: compare it with itself.
///
/// # Errors
/// Says how to get valgrind where it is missing.
pub fn count(example: &Path, arith: &str) -> Result<u64> {
    // What is not the update (start, rows) is the same in both.
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
