//! `cargo xtask fuzz`: arbitrary bit patterns through every arithmetic.

use std::io::{IsTerminal, Write, stderr};

use anyhow::Result;
use clap::Args;
use osculate::{Q24, Q24Wide, Q28, Q28Wide};
use osculate_host_tests::fuzz::{self, FuzzCount, Fuzzed};

/// How long to go on.
#[derive(Args)]
pub(crate) struct Options {
    /// Updates per arithmetic
    #[arg(long, default_value_t = 10_000_000)]
    updates: u64,
    /// The first seed; every 100 000 updates take the next one
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

const PIECE: u64 = 100_000;

/// Ends with an error message of its own (a panic) at the first update that breaks a promise.
pub(crate) fn run(options: &Options) -> Result<()> {
    println!(
        "NaN, infinities, subnormals, extreme integers and exponents, as features and targets: nothing may panic,"
    );
    println!("no weight may become anything but a number, and what is refused must leave the learner bit-identical.");
    all::<f32>("f32", options);
    all::<Q28>("q28, i16 rows", options);
    all::<Q24>("q24, i16 rows", options);
    all::<Q28Wide>("q28, i32 rows", options);
    all::<Q24Wide>("q24, i32 rows", options);
    Ok(())
}

fn all<A: Fuzzed>(name: &str, options: &Options) {
    let mut total = FuzzCount::default();
    let mut seed = options.seed;
    while total.updates < options.updates {
        total += fuzz::run::<A>(seed, PIECE.min(options.updates - total.updates));
        seed += 1;
        if stderr().is_terminal() {
            eprint!("\r{name}: {} of {} updates", total.updates, options.updates);
            // A progress line that cannot be shown is not worth an error.
            _ = stderr().flush();
        }
    }
    if stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
    println!("{name}: {total}");
}
