//! `cargo xtask fuzz`: arbitrary bit patterns through every arithmetic.

use std::io::{IsTerminal, Write, stderr};

use anyhow::Result;
use clap::Args;
use osculate_host_tests::fuzz::{FuzzCount, ROUNDS, Round};

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
    for (name, round) in ROUNDS {
        all(name, round, options);
    }
    Ok(())
}

fn all(name: &str, round: Round, options: &Options) {
    let mut total = FuzzCount::default();
    let mut seed = options.seed;
    while total.updates < options.updates {
        total += round(seed, PIECE.min(options.updates - total.updates));
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
