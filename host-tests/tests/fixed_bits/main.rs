//! Promise: fixed point is bit-exact with its specification, implemented twice: in f64 and in `i128`. This covers
//! weights, velocity, average, ϑ, norms, verdicts and counts, for every rule and every format.

mod compare;
mod ends;
mod inputs;
mod subject;

use compare::{Seen, Task, run};
use inputs::{batch, episode, settings, streaming_settings};
use osculate::{Q24, Q28};
use osculate_host_tests::reference::fixed::{Episode, Row, Rule, Settings, Targets};
use osculate_host_tests::worlds::Dice;
use subject::{Checked, New, logged, stored, streamed};

/// Learners of all these sizes.
macro_rules! by_size {
    ($new:ident, $format:ident: $($n:literal)*) => { [$(($n, $new::<$format, $n> as New<_>)),*] };
}

/// Every size, because the loops over features are specialised for each. They depend neither on the rule nor on the
/// fraction bits of a weight.
fn every_size() -> [(usize, New<Vec<Row>>); 32] {
    by_size!(stored, Q28: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)
}

fn batches<A: Checked>(settings: fn(&mut Dice) -> Settings, updates: u32, seed: u64) -> Seen {
    let sizes = by_size!(stored, A: 1 2 3 5 8 17 32);
    run(&Task::batches(settings, batch), &sizes, A::FORMAT, updates, seed)
}

fn stored_episodes<A: Checked>(settings: fn(&mut Dice) -> Settings, updates: u32, seed: u64) -> Seen {
    let sizes: [(usize, New<Episode>); 5] = by_size!(logged, A: 1 2 5 8 17);
    run(&Task::logged(settings, episode), &sizes, A::FORMAT, updates, seed)
}

fn streamed_episodes<A: Checked>(updates: u32, seed: u64) -> Seen {
    let sizes: [(usize, New<Episode>); 5] = by_size!(streamed, A: 1 2 5 8 17);
    run(&Task::streamed(streaming_settings, episode), &sizes, A::FORMAT, updates, seed)
}

fn paper(dice: &mut Dice) -> Settings {
    settings(dice, Rule::Paper, Targets::MonteCarlo)
}

fn plain(dice: &mut Dice) -> Settings {
    settings(dice, Rule::Plain, Targets::MonteCarlo)
}

fn predictable(dice: &mut Dice) -> Settings {
    settings(dice, Rule::Predictable, Targets::MonteCarlo)
}

fn any_rule(dice: &mut Dice, targets: Targets) -> Settings {
    let rule = [Rule::Paper, Rule::Predictable, Rule::Predictable, Rule::Plain][dice.below(4) as usize];
    settings(dice, rule, targets)
}

fn monte_carlo(dice: &mut Dice) -> Settings {
    any_rule(dice, Targets::MonteCarlo)
}

fn one_step(dice: &mut Dice) -> Settings {
    any_rule(dice, Targets::OneStep)
}

/// Every rule with one format. Each is a separate test, so that they run in parallel.
macro_rules! every_rule {
    ($($module:ident: $format:ident, $updates:literal, $seed:literal;)*) => {$(
        mod $module {
            use super::*;

            const SEED: u64 = $seed << 40;

            #[test]
            fn paper() {
                let seen = batches::<$format>(super::paper, $updates, SEED);
                seen.expect(concat!(stringify!($format), " paper")).skips().caps().refuses();
            }
            #[test]
            fn plain() {
                let seen = batches::<$format>(super::plain, 20_000, SEED + (1 << 32));
                seen.expect(concat!(stringify!($format), " plain")).skips();
            }
            #[test]
            fn predictable() {
                let seen = batches::<$format>(super::predictable, $updates, SEED + (2 << 32));
                seen.expect(concat!(stringify!($format), " predictable")).skips().caps().refuses();
            }
            #[test]
            fn streaming() {
                let seen = streamed_episodes::<$format>($updates, SEED + (3 << 32));
                seen.expect(concat!(stringify!($format), " streaming")).caps().refuses().is_empty_at_times();
            }
            #[test]
            fn monte_carlo() {
                let seen = stored_episodes::<$format>(super::monte_carlo, 20_000, SEED + (4 << 32));
                seen.expect(concat!(stringify!($format), " Monte Carlo")).skips().caps().refuses().is_empty_at_times();
            }
            #[test]
            fn one_step() {
                let seen = stored_episodes::<$format>(super::one_step, $updates, SEED + (5 << 32));
                seen.expect(concat!(stringify!($format), " one-step")).skips().caps().refuses().is_empty_at_times();
            }
        }
    )*};
}
every_rule! {
    q28: Q28, 100_000, 0;
    q24: Q24, 100_000, 1;
}

#[test]
fn every_size_of_a_row() {
    let seen = run(&Task::batches(paper, batch), &every_size(), Q28::FORMAT, 10_000, 4 << 40);
    seen.expect("Q28 paper, n in 1..=32").skips();
}
