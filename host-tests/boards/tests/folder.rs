//! Promise: an image takes the same flash wherever its sources are.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use anyhow::Result;
use osculate_lab::bench::size::{self, PROGRAMS};
use osculate_lab::boards::Board;
use osculate_lab::elf::Elf;
use osculate_lab::firmware;
use osculate_lab::repository::{repository, runs_all};

/// The compiler orders functions by hashes that depend on the path of the sources, and the padding between functions
/// depends on their order. That is most visible on the M0, where some are aligned to words and others are not.
#[test]
fn flash_does_not_depend_on_the_folder() -> Result<()> {
    let board = Board::named("microbit")?;
    // The same sources by another path. It stays, so that the next run builds nothing.
    let elsewhere = repository().join("target/elsewhere");
    fs::create_dir_all(&elsewhere)?;
    for name in ["Cargo.toml", "apps", "core", "crates", "firmware"] {
        let link = elsewhere.join(name);
        if !link.exists() {
            symlink(Path::new("../..").join(name), link)?;
        }
    }
    let built = elsewhere.join("built");
    let programs = PROGRAMS.iter().flat_map(|program| ["f32", "q28"].map(|arith| (program, arith)));
    for (program, arith) in programs.take(if runs_all() { 4 } else { 1 }) {
        let program = format!("footprint-{program}");
        let features = [size::features(arith), &[&*program]].concat();
        let here = Elf::read(&firmware::build(board, "footprint", &features)?)?.flash();
        let mut cargo = firmware::cargo(board, "build", &features)?;
        cargo.args(["--quiet", "--example", "footprint", "--manifest-path"]).arg(elsewhere.join("firmware/Cargo.toml"));
        assert!(cargo.env("CARGO_TARGET_DIR", &built).status()?.success(), "it is built there, too");
        let there = Elf::read(&built.join(&board.target).join("release/examples/footprint"))?.flash();
        println!("{program}, {arith}: {here} bytes of flash here, {there} there");
        assert_eq!(here, there, "{program}, {arith}");
    }
    Ok(())
}
