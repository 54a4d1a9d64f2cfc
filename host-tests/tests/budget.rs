//! Promise: no part of the learner takes more instructions than its budget, and the targets of the hot loops are met.

use anyhow::Result;
use osculate_host_tests::bench::budget::{FEATURES, FILE, GROWTH, MEASURED, exceeded};
use osculate_host_tests::bench::device;
use osculate_host_tests::bench::report::{Record, Report};
use osculate_host_tests::lab::boards::Board;
use osculate_host_tests::lab::firmware;

const ACCEPT: &str = "to accept: UPDATE_BUDGET=1 cargo test -p osculate-host-tests --test budget";

fn measured() -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for (name, arith) in MEASURED {
        let board = Board::named(name)?;
        let elf = firmware::build(board, &format!("bench_{arith}"), &["bench"])?;
        let counts = device::run(board, &elf, &FEATURES, |_| ())?;
        assert_eq!(counts, device::run(board, &elf, &FEATURES, |_| ())?, "two runs count the same");
        records.extend(counts.into_iter().map(|count| count.on(name, arith)));
    }
    Ok(records)
}

#[test]
fn every_part_stays_within_its_budget() -> Result<()> {
    let counts = measured()?;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/budget.json");
    if std::env::var_os("UPDATE_BUDGET").is_some() {
        std::fs::write(path, Report { counts, sizes: Vec::new() }.json()?)?;
        return Ok(());
    }
    let over = exceeded(&Report::parse(FILE)?, &counts);
    assert!(over.is_empty(), "more than {} % over the budget:\n{over}{ACCEPT}", GROWTH * 100.0);

    for (arith, most) in [("f32", 2.6), ("q28", 2.3)] {
        let is_target = |r: &&Record| (r.board.as_str(), r.kernel.as_str(), r.n) == ("mps2-an386", "pass1", 64);
        let record = counts.iter().filter(is_target).find(|r| r.arith == arith).expect("it was measured");
        let per_mac = record.per_mac().expect("it multiplies");
        println!("{arith}: {per_mac:.3} instructions per MAC of pass 1 on the M4F, n = 64 (at most {most})");
        assert!(per_mac <= most);
    }
    Ok(())
}

#[test]
fn what_grows_or_is_unknown_is_noticed() {
    let budget = Report::parse(FILE).unwrap();
    assert_eq!(exceeded(&budget, &budget.counts), "");
    let mut grown = budget.counts.clone();
    grown[0].instructions = (f64::from(grown[0].instructions) * 1.04) as u32;
    assert_eq!(exceeded(&budget, &grown).lines().count(), 1);
    let mut other = budget.counts.clone();
    other[1].kernel = "another".into();
    assert!(exceeded(&budget, &other).starts_with("no budget for"));
}
