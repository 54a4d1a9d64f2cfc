//! Promise: a device that fails says why, at once and after its reset, on the smallest board as on the default one. The
//! other boards are tried by `cargo xtask dev torture`.

use anyhow::Result;
use osculate_lab::boards::Board;
use osculate_lab::survival::faults::{causes, overflows};
use osculate_lab::survival::{Progress, Tally};

fn boards() -> Result<[&'static Board; 2]> {
    Ok([Board::named("mps2-an386")?, Board::named("microbit")?])
}

/// Nothing has failed, and each promise was tried this often.
fn kept(tallies: &[Tally], progress: &Progress, tries: &[u64]) {
    for tally in tallies {
        assert_eq!(tally.failures, 0, "{}: {:?}", tally.promise, tally.first);
    }
    assert_eq!(tallies.iter().map(|tally| tally.tries).collect::<Vec<_>>(), tries);
    assert_eq!(progress.so_far(), (tries.iter().sum(), tries.iter().sum()));
}

#[test]
fn a_stack_overflow_is_named_and_told() -> Result<()> {
    let progress = Progress::default();
    kept(&overflows(&boards()?, &progress)?, &progress, &[4, 2]);
    Ok(())
}

#[test]
fn every_cause_is_named_and_told() -> Result<()> {
    let progress = Progress::default();
    kept(&causes(&boards()?, &progress)?, &progress, &[12, 10, 1, 4, 2]);
    Ok(())
}
