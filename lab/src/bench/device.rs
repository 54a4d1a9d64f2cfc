//! Runs the bench firmware and reads its counts.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::boards::Board;
use crate::log::Line;
use crate::qemu::Qemu;

/// One part of the learner, as the device counted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Which part: `pass1`, `update`, …
    pub kernel: String,
    /// Features.
    pub n: u32,
    /// Rows.
    pub tau: u32,
    /// Instructions.
    pub instructions: u32,
    /// Multiply-accumulates.
    pub macs: u32,
    /// Bytes of stack.
    pub stack: u32,
}

impl Count {
    fn parse(line: &str) -> Result<Self> {
        let words: Vec<&str> = line.split(' ').collect();
        let [kernel, numbers @ ..] = words.as_slice() else { unreachable!("there is always a first word") };
        let numbers = numbers.iter().map(|word| word.parse()).collect::<Result<Vec<u32>, _>>();
        let numbers = numbers.with_context(|| format!("the device said: {line}"))?;
        ensure!(numbers.len() == 5, "the device said: {line}");
        Ok(Self {
            kernel: (*kernel).into(),
            n: numbers[0],
            tau: numbers[1],
            instructions: numbers[2],
            macs: numbers[3],
            stack: numbers[4],
        })
    }
}

/// QEMU's time passes with instructions, and with nothing else.
pub const DETERMINISTIC: [&str; 2] = ["-icount", "shift=7,sleep=off"];

/// Runs a bench firmware on its board, for these numbers of features (all it knows, where there are none), and hands over
/// each count as it comes.
///
/// # Errors
/// Where the device fails, hangs, or says something else than counts.
pub fn run(board: &Board, elf: &Path, features: &[u32], mut on_count: impl FnMut(&Count)) -> Result<Vec<Count>> {
    let mut qemu = Qemu::new(board, elf).options(DETERMINISTIC).timeout(Duration::from_secs(120));
    for n in features {
        qemu = qemu.argument(n.to_string());
    }
    let outcome = qemu.run(|line| {
        if let Ok(count) = Count::parse(&line.message) {
            on_count(&count);
        }
    })?;
    parse_lines(outcome.success()?)
}

/// The counts in a log that ends as it should.
pub(super) fn parse_lines(lines: Vec<Line>) -> Result<Vec<Count>> {
    let Some((last, counts)) = lines.split_last() else { bail!("the device said nothing") };
    ensure!(last.message == "done", "the device stopped before it was done");
    counts.iter().map(|line| Count::parse(&line.message)).collect()
}
