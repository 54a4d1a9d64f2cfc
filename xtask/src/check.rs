//! A check whose output is the point: shown as it comes, and the first one that fails ends the command.

use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Says what is run, runs it in the open, and fails if it fails.
pub(crate) fn run(title: &str, command: &mut Command) -> Result<()> {
    println!("\n==> {title}");
    let status = command.status().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    ensure!(status.success(), "failed: {title}");
    Ok(())
}
