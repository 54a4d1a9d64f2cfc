//! `cargo xtask dev qemu`: runs a firmware ELF file and shows its log. Cargo's runner in `firmware` calls this.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;

/// Runs `elf` on `board`, or on the board it was built for, and prints each line of its log as it arrives.
pub(crate) fn run(elf: &Path, board: Option<&str>) -> Result<()> {
    let board = match board {
        Some(name) => Board::named(name)?,
        None => Board::of_elf(&fs::read(elf).with_context(|| format!("cannot read {}", elf.display()))?)?,
    };
    let mut tests = Tests::default();
    let outcome = Emulation::new(board, elf).run(|line| {
        println!("{line}");
        tests.add(&line.message);
    });
    let outcome = outcome.and_then(|outcome| outcome.reason().map_or(Ok(()), |reason| Err(anyhow!(reason))));
    if let Some(result) = tests.result(outcome.is_ok()) {
        println!("{result}");
    }
    outcome
}

/// The test results in a log of `defmt-test`, if there are any.
#[derive(Debug, Default)]
struct Tests {
    begun: u32,
    ignored: u32,
}

impl Tests {
    /// Parses a line of the log: `(2/8) running `sub`...`.
    fn add(&mut self, message: &str) {
        let Some((place, what)) = message.strip_prefix('(').and_then(|rest| rest.split_once(") ")) else { return };
        let Some((number, all)) = place.split_once('/') else { return };
        if number.parse::<u32>().is_ok() && all.parse::<u32>().is_ok() {
            self.begun += u32::from(what.starts_with("running `"));
            self.ignored += u32::from(what.starts_with("ignoring `"));
        }
    }

    /// Worded like a test result on the host. The first test that fails is the last to run.
    fn result(&self, success: bool) -> Option<String> {
        let Tests { begun, ignored } = *self;
        let (verdict, failed) = if success { ("ok", 0) } else { ("FAILED", 1) };
        let passed = begun.checked_sub(failed)?;
        (begun + ignored > 0)
            .then(|| format!("test result: {verdict}. {passed} passed; {failed} failed; {ignored} ignored"))
    }
}

#[cfg(test)]
mod tests {
    use super::Tests;

    #[test]
    fn tests_are_counted_as_they_run() {
        let result = |lines: &[&str], success| {
            let mut tests = Tests::default();
            lines.iter().for_each(|line| tests.add(line));
            tests.result(success)
        };
        let log = ["(1/3) running `add`...", "(2/3) ignoring `sub`...", "(3/3) running `mul`...", "all tests passed!"];
        assert_eq!(result(&log, true).unwrap(), "test result: ok. 2 passed; 0 failed; 1 ignored");
        assert_eq!(result(&log[..3], false).unwrap(), "test result: FAILED. 1 passed; 1 failed; 1 ignored");
        assert_eq!(result(&["board mps2-an386", "(a/b) running `x`", "(1) running `x`", "done"], true), None);
        assert_eq!(result(&[], false), None);
    }
}
