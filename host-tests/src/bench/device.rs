//! Runs the bench firmware and reads its counts.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::lab::boards::Board;
use crate::lab::qemu::Qemu;

/// One part of the learner, as the device counted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Which part: `pass1`, `update`, …
    pub kernel: String,
    /// Features.
    pub n: u32,
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
        ensure!(numbers.len() == 4, "the device said: {line}");
        Ok(Self {
            kernel: (*kernel).into(),
            n: numbers[0],
            instructions: numbers[1],
            macs: numbers[2],
            stack: numbers[3],
        })
    }
}

/// QEMU's time passes with instructions, and with nothing else.
pub const DETERMINISTIC: [&str; 2] = ["-icount", "shift=7,sleep=off"];

/// Runs a bench firmware on its board and hands over each count as it comes.
///
/// # Errors
/// Where the device fails, hangs, or says something else than counts.
pub fn run(board: &Board, elf: &Path, mut on_count: impl FnMut(&Count)) -> Result<Vec<Count>> {
    let mut counts = Vec::new();
    let mut unreadable = Ok(());
    let qemu = Qemu::new(board, elf).options(DETERMINISTIC).timeout(Duration::from_secs(120));
    let lines = qemu
        .run(|line| match Count::parse(&line.message) {
            Ok(count) => {
                on_count(&count);
                counts.push(count);
            }
            Err(_) if line.message == "done" => {}
            Err(error) => unreadable = Err(error),
        })?
        .success()?;
    ensure!(lines.last().is_some_and(|line| line.message == "done"), "the device stopped before it was done");
    unreadable.map(|()| counts)
}
