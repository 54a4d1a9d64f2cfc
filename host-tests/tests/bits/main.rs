//! Promise: f32 gives exactly the bits that an f64 reference, rounded after every operation, gives, by every rule: all bits of
//! w, w̄, w − w⁻, ϑ, ‖g‖ and of the values φ·w, and every count and verdict.
//!
//! Learners have random parameters, n in 1..=32, and features in units of 2^−20 to 2^20. They meet rows and readings that
//! cannot be used, states that repeat, logs that are full, episodes that are cut, and sums that leave the range.

mod compare;
mod edges;
mod library;
mod reference;
mod story;
mod way;

use compare::{Tally, compare};
use osculate_host_tests::reference::rounded::Rule;
use way::Source;

const UPDATES: u32 = 100_000;

fn check(what: &str, source: Source, rules: &[Rule]) -> Tally {
    let tally = compare(source, rules, UPDATES);
    println!("{what}: {tally}");
    assert!(tally.updates >= UPDATES);
    assert!(tally.empty > 1_000 && tally.refused > 2_000 && tally.dropped > 10_000, "too little has gone wrong");
    tally
}

#[test]
fn paper_equals_the_rounded_reference() {
    let tally = check("paper, rows", Source::Rows, &[Rule::Paper]);
    assert!(tally.skipped > 1_000 && tally.capped > 1_000);
}

#[test]
fn plain_equals_the_rounded_reference() {
    let tally = check("plain, rows", Source::Rows, &[Rule::Plain]);
    assert!(tally.skipped > 1_000);
}

#[test]
fn predictable_equals_the_rounded_reference() {
    let tally = check("predictable, rows", Source::Rows, &[Rule::Predictable]);
    assert!(tally.skipped > 1_000 && tally.capped > 200);
}

#[test]
fn monte_carlo_returns_equal_the_rounded_reference() {
    let tally = check("all rules, returns", Source::Returns, &[Rule::Paper, Rule::Plain, Rule::Predictable]);
    assert!(tally.skipped > 1_000 && tally.capped > 1_000);
}

#[test]
fn one_step_targets_equal_the_rounded_reference() {
    let tally = check("all rules, one-step", Source::OneStep, &[Rule::Paper, Rule::Plain, Rule::Predictable]);
    assert!(tally.skipped > 1_000 && tally.capped > 1_000);
}

#[test]
fn streaming_equals_the_rounded_reference() {
    let tally = check("streaming", Source::Streaming, &[Rule::Predictable]);
    assert!(tally.capped > 1_000);
}
