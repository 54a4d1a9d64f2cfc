//! `cargo xtask test`: every test, on the host and on the emulated target.

use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use clap::Args;
use osculate_lab::bench::size;
use osculate_lab::bench::{MEASURED, OFTEN};
use osculate_lab::boards::{Board, Status};
use osculate_lab::firmware;
use osculate_lab::toolchain::ambient;
use osculate_lab::toolchain::rp2040js::LEFT_OUT;

use crate::{check, repository, setup};

/// A command and its title.
type Part = (String, Command);

/// Run every test, on the host and in the emulators
#[derive(Args)]
pub(crate) struct Options {
    /// Also what proves a release: long runs of tests that are short otherwise. It takes an hour or two
    #[arg(long)]
    all: bool,
}

/// Installs anything that is missing, builds the firmware, then runs the tests of the workspace and of the firmware.
pub(crate) fn run(options: &Options) -> Result<()> {
    setup::ensure()?;
    let without_pico = setup::ensure_pico().err();
    let (builds, tests) = (builds(options.all)?, tests(options.all, without_pico.is_some())?);
    let parts = builds.len() + tests.len();
    println!(
        "{parts} parts: the firmware is built, then the tests run. The first time takes minutes: all is compiled then."
    );

    let started = Instant::now();
    let mut number = 0;
    let mut title = |about: &str| {
        number += 1;
        format!("part {number} of {parts}, after {} s: {about}", started.elapsed().as_secs())
    };
    for (about, mut build) in builds {
        check::run(&title(&about), &mut build)?;
    }
    let mut tally = Tally::default();
    let mut failed = Vec::new();
    // Runs all of them, so that one run shows every failure.
    for (about, mut test) in tests {
        if !check::passes(&title(&about), &mut test, |line| tally.add(line))? {
            failed.push(about);
        }
    }
    println!("\n{parts} parts in {} s", started.elapsed().as_secs());
    if let Some(reason) = without_pico {
        println!("Pico: {} tests skipped: {reason:#}", tally.skipped);
    }
    println!("{} passed, {} failed", tally.passed, tally.failed);
    if !failed.is_empty() {
        bail!("failed: {}", failed.join("; "));
    }
    ensure!(tally.passed > 0 && tally.failed == 0, "the tests passed, but did not say so");
    Ok(())
}

/// The builds that many tests wait for. What only one of them needs, it builds itself.
fn builds(all: bool) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    let is_tried = |board: &&Board| all || board.is_tried();
    for board in Board::all().iter().filter(|board| board.status == Status::Run).filter(is_tried) {
        let mut build = firmware::cargo(board, "build", &[])?;
        build.args(["--example", "selfcheck"]);
        match Board::cores().any(|core| core.name == board.name) {
            true => build.args(["--bins", "--tests", "--example", "drift"]),
            // Their cores are among the others, so only what differs is run on them.
            false => build.args(["--bin", "replay", "--bin", firmware::APPLICATION]),
        };
        parts.push((format!("building the firmware for {} ({})", board.name, board.core), build));
    }
    for board in Board::buildable().filter(|board| board.chip.is_some()).filter(is_tried) {
        let mut build = firmware::cargo(board, "build", firmware::application_features(board))?;
        build.args(["--bin", firmware::APPLICATION]);
        parts.push((format!("building the image that is flashed to {}", board.name), build));
    }
    for (name, arith) in MEASURED.into_iter().take(OFTEN) {
        let mut build = firmware::cargo(Board::named(name)?, "build", size::features(arith))?;
        build.args(["--example", "bench"]);
        parts.push((format!("building the bench in {arith} for {name}"), build));
    }
    Ok(parts)
}

fn tests(all: bool, without_pico: bool) -> Result<[Part; 2]> {
    let mut host = ambient("cargo");
    host.current_dir(repository()).args(["test", "--workspace", "--no-fail-fast"]);
    if all {
        host.env("OSCULATE_ALL", "1");
    }
    if without_pico {
        // Tests of several boards leave it out themselves.
        host.args(["--", "--skip", "pico"]).env(LEFT_OUT, "1");
    }
    let mut target = firmware::cargo(&Board::all()[0], "test", &[])?;
    target.arg("--no-fail-fast");
    Ok([
        ("the host's tests, which start the emulators too: cargo test --workspace".into(), host),
        ("the on-target tests: cargo test, in firmware".into(), target),
    ])
}

/// The number of tests.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    passed: u32,
    failed: u32,
    skipped: u32,
}

impl Tally {
    /// Adds up lines like `test result: ok. 4 passed; 0 failed; …`.
    fn add(&mut self, line: &str) {
        let Some((_, counts)) = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". ")) else {
            return;
        };
        for count in counts.split("; ") {
            match count.split_once(' ').and_then(|(number, what)| Some((number.parse::<u32>().ok()?, what))) {
                Some((number, "passed")) => self.passed += number,
                Some((number, "failed")) => self.failed += number,
                Some((number, "filtered out")) => self.skipped += number,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_added_up() {
        let mut tally = Tally::default();
        for line in [
            "running 3 tests",
            "test result: ok. 28 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.31s",
            "test result: FAILED. 1 passed; 3 failed; 0 ignored; 0 measured; 2 filtered out; finished in 5.58s",
            "test result: ok. 8 passed; 0 failed; 0 ignored",
            "thread 'a' panicked at test result: ok. 100 passed; 100 failed",
            "test result",
        ] {
            tally.add(line);
        }
        assert_eq!(tally, Tally { passed: 37, failed: 3, skipped: 2 });
    }

    #[test]
    fn the_firmware_of_every_board_that_runs_is_built_beforehand() {
        let builds = builds(true).unwrap();
        for board in Board::all().iter().filter(|board| board.status == Status::Run) {
            assert_eq!(
                builds.iter().filter(|(about, _)| about.contains(&format!("firmware for {} ", board.name))).count(),
                1
            );
        }
    }
}
