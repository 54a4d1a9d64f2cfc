//! What learning takes of flash and RAM.

use anyhow::{Context, Result, ensure};

use super::report::Size;
use crate::boards::Board;
use crate::elf::Elf;
use crate::firmware::{self, OptLevel};
use crate::qemu::Qemu;

/// Builds a binary that learns and one that does not, and takes the difference.
///
/// # Errors
/// Where they cannot be built or run.
pub fn measure(board: &Board, arith: &str, opt_level: OptLevel) -> Result<Size> {
    let build = |bin: &str| firmware::build_at(board, bin, &["bench"], opt_level);
    let (without, with) = (build("footprint_none")?, build(&format!("footprint_{arith}"))?);
    let (before, after) = (Elf::read(&without)?, Elf::read(&with)?);
    // The binary says how large its learner is, and that it has really learned.
    let lines = Qemu::new(board, &with).run(|_| ())?.success()?;
    let said = &lines.first().context("the device said nothing")?.message;
    let numbers: Vec<_> = said.split(' ').collect();
    ensure!(numbers.len() == 3 && numbers[0] == "true", "the device said: {said}");
    Ok(Size {
        board: board.name.clone(),
        arith: arith.into(),
        opt_level: opt_level.name().into(),
        flash: after.flash().saturating_sub(before.flash()),
        static_ram: after.ram().saturating_sub(before.ram()),
        logged: numbers[1].parse()?,
        batch: numbers[2].parse()?,
    })
}
