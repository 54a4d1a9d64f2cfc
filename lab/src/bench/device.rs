//! Runs the bench firmware and reads its counts.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use osculate_apps::message::Message;
pub use osculate_programs::count::{Count, Part};
use osculate_programs::report::Report;

use crate::boards::Board;
use crate::emulation::Emulation;
use crate::log::Line;

/// QEMU's virtual time advances with instructions only.
pub const DETERMINISTIC: [&str; 2] = ["-icount", "shift=7,sleep=off"];

/// The longest run: a trace of every instruction takes minutes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(1800);

/// A bench firmware on its board, for these numbers of features (all that it knows if the list is empty).
pub(super) fn bench<'a>(board: &'a Board, elf: &'a Path, features: &[u32]) -> Emulation<'a> {
    let qemu = Emulation::new(board, elf).options(DETERMINISTIC).timeout(PATIENCE);
    features.iter().fold(qemu, |qemu, n| qemu.argument(n.to_string()))
}

/// Counts instructions.
///
/// # Errors
/// If the device fails, hangs, or sends something other than counts.
pub fn run(board: &Board, elf: &Path, features: &[u32]) -> Result<Vec<Count>> {
    counts(&bench(board, elf, features).run(|_| ())?.success()?)
}

/// The counts in a log that ends properly.
pub(super) fn counts(lines: &[Line]) -> Result<Vec<Count>> {
    let mut counts = Vec::new();
    for line in lines {
        if let Some(Report::Count(count)) = line.reported()? {
            counts.push(count);
        } else if line.told()? == Some(Message::Done) {
            return Ok(counts);
        }
    }
    bail!("the device stopped before it was done")
}
