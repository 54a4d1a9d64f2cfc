//! Flash and RAM used by learning.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use osculate_programs::report::Report;
use osculate_programs::sizes::SIZES;

use super::device::{DETERMINISTIC, PATIENCE};
use super::report::{Ram, Size};
use crate::boards::Board;
use crate::elf::Elf;
use crate::emulation::Emulation;
use crate::firmware::{self, OptLevel};

/// The programs that are measured: an agent with a log, n = 16, τ = 32, in a small world; a tracking predictor
/// alone, n = 8.
pub const PROGRAMS: [&str; 2] = ["sim", "tracking"];

/// The features that build a measuring program in an arithmetic.
pub fn features(arith: &str) -> &'static [&'static str] {
    if arith == "q28" { &["bench", "fixed-point"] } else { &["bench"] }
}

/// Builds the firmware that does nothing but what a program does; without a program, nothing.
///
/// # Errors
/// If it cannot be built.
pub fn footprint(board: &Board, arith: &str, program: Option<&str>, opt_level: OptLevel) -> Result<PathBuf> {
    let program = program.map(|program| format!("footprint-{program}"));
    let features: Vec<_> = features(arith).iter().copied().chain(program.as_deref()).collect();
    firmware::build_at(board, "footprint", &features, opt_level)
}

/// Builds one binary that learns and one that does not, and takes the difference.
///
/// # Errors
/// If they cannot be built or run.
pub fn measure(board: &Board, arith: &str, program: &str, opt_level: OptLevel) -> Result<Size> {
    let build = |program| footprint(board, arith, program, opt_level);
    let (without, with) = (build(None)?, build(Some(program))?);
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
pub fn ram(board: &Board, arith: &str, sizes: &[u32]) -> Result<Vec<Ram>> {
    let elf = firmware::build(board, "bench", features(arith))?;
    let qemu = Emulation::new(board, elf).options(DETERMINISTIC).timeout(PATIENCE).argument("memory");
    let qemu = sizes.iter().fold(qemu, |qemu, n| qemu.argument(n.to_string()));
    // The device reports them in its own order, each once.
    let mut sizes = SIZES.iter().filter(|n| sizes.contains(n));
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
