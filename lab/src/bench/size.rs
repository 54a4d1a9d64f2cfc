//! Flash and RAM used by learning.

use std::path::Path;

use anyhow::{Result, ensure};
use osculate_programs::report::Report;
use osculate_programs::sizes::SIZES;

use super::device::bench;
use crate::boards::Board;
use crate::elf::Elf;
use crate::emulation::Emulation;
use crate::firmware;

/// The programs that are measured: an agent with a log, n = 16, τ = 32, in a small world; a tracking predictor
/// alone, n = 8.
pub const PROGRAMS: [&str; 2] = ["sim", "tracking"];

/// The features that build a measuring program in an arithmetic.
pub fn features(arith: &str) -> &'static [&'static str] {
    if arith == "q28" { &["bench", "fixed-point"] } else { &["bench"] }
}

/// The bytes of flash of a program: those of a binary that learns, less those of one that does not.
///
/// # Errors
/// If they cannot be built or run.
pub fn measure(board: &Board, arith: &str, program: &str) -> Result<u32> {
    let program = format!("footprint-{program}");
    let with = firmware::build(board, "footprint", &[features(arith), &[&*program]].concat())?;
    let without = firmware::build(board, "footprint", features(arith))?;
    // It succeeds only if it has learned.
    Emulation::new(board, &with).run(|_| ())?.success()?;
    Ok(Elf::read(&with)?.flash().saturating_sub(Elf::read(&without)?.flash()))
}

/// The bytes of a learner with a log, of a streaming and of a tracking one, for each number of features, as the bench
/// firmware reports them. The programs above cannot: that code would be measured, too.
///
/// # Errors
/// If the firmware cannot be run.
pub(super) fn ram(board: &Board, elf: &Path, wanted: &[u32]) -> Result<Vec<(u32, [u32; 3])>> {
    let lines = bench(board, elf, wanted).argument("memory").run(|_| ())?.success()?;
    let mut all = Vec::new();
    for line in lines {
        if let Some(Report::Memory { stored, streaming, tracking }) = line.reported()? {
            all.push([stored, streaming, tracking]);
        }
    }
    // The device reports them in its own order, each once.
    let sizes: Vec<_> = SIZES.into_iter().filter(|n| wanted.contains(n)).collect();
    ensure!(sizes.len() == all.len(), "the device has not said how large its learners are");
    Ok(sizes.into_iter().zip(all).collect())
}
