//! `cargo xtask qemu`: runs a firmware ELF file and shows its log. Cargo's runner in `firmware` ends here.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use osculate_host_tests::lab::boards::Board;
use osculate_host_tests::lab::qemu::Qemu;

/// Runs `elf` on `board`, or on the board it was built for, and prints each line of its log as it arrives.
pub(crate) fn run(elf: &Path, board: Option<&str>) -> Result<()> {
    let board = match board {
        Some(name) => Board::named(name)?,
        None => Board::of_elf(&fs::read(elf).with_context(|| format!("cannot read {}", elf.display()))?)?,
    };
    let outcome = Qemu::new(board, elf).run(|line| println!("{line}"))?;
    match outcome.reason() {
        None => Ok(()),
        Some(reason) => bail!(reason),
    }
}
