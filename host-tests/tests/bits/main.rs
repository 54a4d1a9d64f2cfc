//! Promise: every rule is bit-exact with its specification in every arithmetic: all bits of what it answers and of all
//! that it knows, every count and every verdict, whatever it is told.
//!
//! | arithmetic | compared with |
//! | --- | --- |
//! | f32 | f64, rounded to 24 bits after every operation |
//! | f64, for tracking | the same, not rounded |
//! | q28, q24 | two readings of fixed point: in pairs of f64, and in `i128` |
//!
//! Learners have random parameters, and 1 to 32 features. They encounter unusable rows and readings, repeated states,
//! full logs, cut episodes, restarts, and numbers that leave the range.

mod compare;
mod edges;
mod ends;
mod factors;
mod plan;
mod story;
mod subject;

use compare::{Begin, Seen, run};
use osculate::Q28;
use osculate_host_tests::reference::call::{Rule, Targets};
use osculate_host_tests::worlds::Dice;
use plan::{LOG, Plan, ROOM};
use story::{Drift, Episodes, Story};
use subject::{Checked, New, library, of_rows};

const UPDATES: u32 = 100_000;
/// The same for rules that differ from others in little.
const FEWER: u32 = 20_000;
const ANY_RULE: [Rule; 4] = [Rule::Paper, Rule::Plain, Rule::Predictable, Rule::Predictable];

/// Learners of all these sizes.
macro_rules! sizes {
    ($new:ident, $format:ty: $($n:literal)*) => { [$(($n, $new::<$format, $n> as New)),*] };
}

/// Every size, because the loops over features are specialised for each. They do not depend on the rule.
fn every_size<A: Checked>() -> [(usize, New); 32] {
    sizes!(of_rows, A: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)
}

fn some_sizes<A: Checked>() -> [(usize, New); 7] {
    sizes!(library, A: 1 2 3 5 8 17 32)
}

fn rows<A: Checked>(dice: &mut Dice, n: usize, rule: Rule) -> Story {
    let plan = Plan::Stored(plan::stored(dice, A::FORMAT, &[rule], Targets::MonteCarlo, [ROOM; 2]));
    Episodes::story(dice, n, plan, A::FORMAT)
}

fn logged<A: Checked>(dice: &mut Dice, n: usize, targets: Targets) -> Story {
    let plan = Plan::Stored(plan::stored(dice, A::FORMAT, &ANY_RULE, targets, LOG));
    Episodes::story(dice, n, plan, A::FORMAT)
}

fn streamed<A: Checked>(dice: &mut Dice, n: usize) -> Story {
    let plan = Plan::Streaming(plan::streaming(dice, A::FORMAT));
    Episodes::story(dice, n, plan, A::FORMAT)
}

/// A rule with episodes, of which much has gone wrong.
fn check<A: Checked>(what: &str, begin: Begin, updates: u32, seed: u64) -> Seen {
    let is_of_rows = ["paper", "plain", "predictable"].contains(&what);
    // Each step of an episode has an answer to compare, so large ones take longer.
    let sizes = &some_sizes::<A>()[..if is_of_rows { 7 } else { 6 }];
    let seen = run::<A>(sizes, begin, updates, seed << 32);
    assert!(seen.updates >= updates && seen.dropped > seen.rows / 1_000, "{seen:?}");
    let u = updates;
    let counts = match A::FORMAT {
        Some(_) => [("saturated", seen.saturated, u / 100), ("restarts", seen.restarts, u / 100)],
        None => [("refused", seen.refused, u / 50), ("empty", seen.empty, u / 100)],
    };
    seen.expect(&format!("{}, {what}", A::NAME), &counts);
    seen
}

fn paper<A: Checked>(seed: u64) {
    let seen = check::<A>("paper", |dice, n| rows::<A>(dice, n, Rule::Paper), UPDATES, seed);
    seen.has(seen.skipped, 1_000).has(seen.capped, 1_000).has(seen.refused, 100);
}

fn plain<A: Checked>(seed: u64) {
    let updates = if A::FORMAT.is_some() { FEWER } else { UPDATES };
    let seen = check::<A>("plain", |dice, n| rows::<A>(dice, n, Rule::Plain), updates, seed + 1);
    seen.has(seen.skipped, 1_000);
}

fn predictable<A: Checked>(seed: u64) {
    let seen = check::<A>("predictable", |dice, n| rows::<A>(dice, n, Rule::Predictable), UPDATES, seed + 2);
    seen.has(seen.skipped, 1_000).has(seen.capped, 200).has(seen.refused, 100);
}

fn monte_carlo<A: Checked>(seed: u64) {
    let updates = if A::FORMAT.is_some() { FEWER } else { UPDATES };
    let seen = check::<A>("returns", |dice, n| logged::<A>(dice, n, Targets::MonteCarlo), updates, seed + 3);
    seen.has(seen.skipped, 1_000).has(seen.capped, 200).has(seen.refused, 100).has(seen.empty, 1_000);
}

fn one_step<A: Checked>(seed: u64) {
    let seen = check::<A>("one-step", |dice, n| logged::<A>(dice, n, Targets::OneStep), UPDATES, seed + 4);
    seen.has(seen.skipped, 1_000).has(seen.capped, 1_000).has(seen.refused, 100).has(seen.empty, 1_000);
}

fn streaming<A: Checked>(seed: u64) {
    let seen = check::<A>("streaming", streamed::<A>, UPDATES, seed + 5);
    seen.has(seen.capped, 1_000).has(seen.refused, 100).has(seen.empty, 1_000);
}

fn tracking<A: Checked>(seed: u64) {
    let begin: Begin = |dice, n| Drift::story(dice, n, A::FORMAT);
    let seen = run::<A>(&some_sizes::<A>()[..6], begin, UPDATES, (seed + 6) << 32);
    assert!(seen.updates >= UPDATES && seen.rows > 50_000 && seen.dropped > 2_000, "{seen:?}");
    let counts = [
        ("suspicions", seen.suspicions, 150),
        ("changes", seen.changes, 100),
        ("false alarms", seen.false_alarms, 50),
        ("given rows", seen.given, 5_000),
        ("ends", seen.ends, 500),
        ("cuts", seen.cuts, 500),
        ("lower gains", seen.lower_gains, 5_000),
        ("restarts", seen.restarts, 10),
    ];
    seen.expect(&format!("{}, tracking", A::NAME), &counts);
    // No f32 leads out of the range of f64.
    assert!(seen.refused > 10 || A::NAME == "f64", "{seen:?}");
    assert!(seen.saturated > 100 || A::FORMAT.is_none(), "{seen:?}");
}

/// Each rule in each arithmetic is a separate test, so that they run in parallel.
macro_rules! tests {
    ($($module:ident: $arithmetic:ty, $seed:literal: $($rule:ident)*;)*) => {$(
        mod $module {
            $(#[test]
            fn $rule() {
                super::$rule::<$arithmetic>($seed);
            })*
        }
    )*};
}
tests! {
    single: f32, 0: paper plain predictable monte_carlo one_step streaming tracking;
    double: f64, 10: tracking;
    q28: osculate::Q28, 20: paper plain predictable monte_carlo one_step streaming tracking;
    q24: osculate::Q24, 30: paper plain predictable monte_carlo one_step streaming tracking;
}

fn every_size_of_a_row<A: Checked>() {
    let seen = run::<A>(&every_size::<A>(), |dice, n| rows::<A>(dice, n, Rule::Paper), 10_000, 40 << 32);
    seen.has(seen.skipped, 1_000);
}

#[test]
fn every_size_of_a_row_of_floats() {
    every_size_of_a_row::<f32>();
}

#[test]
fn every_size_of_a_row_of_integers() {
    every_size_of_a_row::<Q28>();
}
