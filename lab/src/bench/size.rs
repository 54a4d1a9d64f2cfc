//! Flash and RAM used by learning.

use anyhow::{Result, bail};
use osculate_apps::message::Message;

use super::device::DETERMINISTIC;
use super::report::Size;
use crate::boards::Board;
use crate::elf::Elf;
use crate::emulation::Emulation;
use crate::firmware::{self, OptLevel};

/// Builds one binary that learns and one that does not, and takes the difference.
///
/// # Errors
/// If they cannot be built or run.
pub fn measure(board: &Board, arith: &str, opt_level: OptLevel) -> Result<Size> {
    let build = |bin: &str| firmware::build_at(board, bin, &["bench"], opt_level);
    let (without, with) = (build("footprint_none")?, build(&format!("footprint_{arith}"))?);
    let (before, after) = (Elf::read(&without)?, Elf::read(&with)?);
    // It succeeds only if it has learned.
    Emulation::new(board, &with).run(|_| ())?.success()?;
    let [stored, streaming, tracking] = memory(board, arith)?;
    Ok(Size {
        board: board.name.clone(),
        arith: arith.into(),
        opt_level: opt_level.name().into(),
        flash: after.flash().saturating_sub(before.flash()),
        static_ram: after.ram().saturating_sub(before.ram()),
        stored,
        streaming,
        tracking,
    })
}

/// The bytes of a learner with a log, of a streaming and of a tracking one, as reported by the bench firmware. The binaries above cannot
/// report them: that code would be measured, too.
fn memory(board: &Board, arith: &str) -> Result<[u32; 3]> {
    let elf = firmware::build(board, &format!("bench_{arith}"), &["bench"])?;
    let lines = Emulation::new(board, elf).options(DETERMINISTIC).argument("memory").run(|_| ())?.success()?;
    for line in lines {
        if let Some(Message::Memory { stored, streaming, tracking }) = line.told()? {
            return Ok([stored, streaming, tracking]);
        }
    }
    bail!("the device has not said how large its learner is")
}
