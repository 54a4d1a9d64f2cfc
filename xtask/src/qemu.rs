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
    let mut begun = 0;
    let outcome = Emulation::new(board, elf).run(|line| {
        println!("{line}");
        begun += u32::from(begins_test(&line.message));
    });
    let outcome = outcome.and_then(|outcome| outcome.reason().map_or(Ok(()), |reason| Err(anyhow!(reason))));
    // Worded like a test result on the host. The first test that fails is the last to run.
    let (verdict, failed) = if outcome.is_ok() { ("ok", 0) } else { ("FAILED", 1) };
    if let Some(passed) = u32::checked_sub(begun, failed).filter(|_| begun > 0) {
        println!("test result: {verdict}. {passed} passed; {failed} failed");
    }
    outcome
}

/// Whether `defmt-test` says that it runs a test: ``(2/8) running `sub`...``.
fn begins_test(message: &str) -> bool {
    let place = message.strip_prefix('(').and_then(|rest| rest.split_once(") running `"));
    place.is_some_and(|(place, _)| place.split_once('/').is_some())
}

#[cfg(test)]
mod tests {
    use super::begins_test;

    #[test]
    fn tests_are_counted_as_they_run() {
        let log = ["(1/3) running `add`...", "(2/3) ignoring `sub`...", "(3/3) running `mul`...", "all tests passed!"];
        assert_eq!(log.map(begins_test), [true, false, true, false]);
        assert_eq!(["board mps2-an386", "(1) running `x`", "done"].map(begins_test), [false; 3]);
    }
}
