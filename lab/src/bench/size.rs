//! Flash and RAM used by learning.

use anyhow::{Result, ensure};
use osculate_programs::report::Report;
use osculate_programs::sizes::SIZES;

use super::device::{DETERMINISTIC, PATIENCE};
use super::report::{Ram, Size};
use crate::boards::Board;
use crate::elf::Elf;
use crate::emulation::Emulation;
use crate::firmware::{self, OptLevel};

/// The programs that are measured: an agent with a log, n = 16, τ = 32, in a small world; a tracking predictor alone, n = 8,
/// of what follows, and one of a discounted sum.
pub const PROGRAMS: [&str; 3] = ["sim", "tracking", "discounted"];

/// The binary of a program.
pub fn binary(program: &str, arith: &str) -> String {
    if program == "sim" { format!("footprint_{arith}") } else { format!("footprint_{program}_{arith}") }
}

/// Builds one binary that learns and one that does not, and takes the difference.
///
/// # Errors
/// If they cannot be built or run.
pub fn measure(board: &Board, arith: &str, program: &str, opt_level: OptLevel) -> Result<Size> {
    let build = |bin: &str| firmware::build_at(board, bin, &["bench"], opt_level);
    let (without, with) = (build("footprint_none")?, build(&binary(program, arith))?);
    let (before, after) = (Elf::read(&without)?, Elf::read(&with)?);
    // It succeeds only if it has learned.
    Emulation::new(board, &with).timeout(PATIENCE).run(|_| ())?.success()?;
    Ok(Size {
        board: board.name.clone(),
        arith: arith.into(),
        program: program.into(),
        opt_level: opt_level.name().into(),
        flash: after.flash().saturating_sub(before.flash()),
        static_ram: after.ram().saturating_sub(before.ram()),
    })
}

/// The bytes of a learner with a log, of a streaming and of a tracking one, as reported by the bench firmware. The
/// programs above cannot report them: that code would be measured, too.
///
/// # Errors
/// If the firmware cannot be built or run.
pub fn ram(board: &Board, arith: &str, features: &[u32]) -> Result<Vec<Ram>> {
    let elf = firmware::build(board, &format!("bench_{arith}"), &["bench"])?;
    let qemu = Emulation::new(board, elf).options(DETERMINISTIC).timeout(PATIENCE).argument("memory");
    let qemu = features.iter().fold(qemu, |qemu, n| qemu.argument(n.to_string()));
    // The device reports them in its own order, each once.
    let mut sizes = SIZES.iter().filter(|n| features.contains(n));
    let mut all = Vec::new();
    for line in qemu.run(|_| ())?.success()? {
        if let Some(Report::Memory { stored, streaming, tracking }) = line.reported()?
            && let Some(&n) = sizes.next()
        {
            all.push(Ram { board: board.name.clone(), arith: arith.into(), n, stored, streaming, tracking });
        }
    }
    ensure!(sizes.next().is_none() && !all.is_empty(), "the device has not said how large its learners are");
    Ok(all)
}
