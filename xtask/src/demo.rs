//! `cargo xtask demo`: the firmware learns in QEMU, and the host looks on.

use anyhow::Result;
use osculate_host_tests::lab::boards::Board;
use osculate_host_tests::lab::device_learning::{self, DeviceUpdate};
use osculate_host_tests::lab::firmware;
use osculate_host_tests::reference::closed_form::{relative_error, scale_invariant};
use osculate_host_tests::worlds::parity_problem::{FEATURES, Problem, ROWS, SEED, UPDATES};

use crate::setup;

/// The bar's width.
const BAR: usize = 40;

/// Builds the firmware, runs it, and prints each update beside its distance to the solution.
pub(crate) fn run(board: Option<&str>) -> Result<()> {
    setup::ensure()?;
    let board = board.map_or(Ok(&Board::all()[0]), Board::named)?;
    println!("building the firmware for {} ({})", board.name, board.core);
    let elf = firmware::build(board, "parity", &[])?;

    let mut problem = Problem::new(SEED);
    let mut rows = Vec::new();
    for _ in 0..UPDATES {
        problem.next_batch(|phi, v| rows.push((phi.to_vec(), v)));
    }
    let solution = scale_invariant(&rows);
    println!(
        "\nlearning {FEATURES} weights on the device, in f32: {UPDATES} updates of 1 to {ROWS} fresh rows, in units from\n\
         2^-10 to 2^10, with noise. The host, which knows all {} rows, measures the distance to their solution w*.\n",
        rows.len()
    );
    println!("    k  rows    theta       |g|   error |w - w*|/|w*|, on a logarithmic scale");
    let mut last = None;
    device_learning::run(board, &elf, |update| {
        let error = relative_error(&update.weights, &solution);
        if update.k <= 10 || update.k % 10 == 0 {
            println!("{}", line(&update, error));
        }
        last = Some(error);
    })?;

    println!();
    println!("final error of the device against w*: {:.4}", last.unwrap_or(f64::NAN));
    println!("repeat: cargo xtask demo --board {} (seed {SEED}: the same bits every time)", board.name);
    Ok(())
}

/// One row of the table; five marks of the bar are a factor of two, from 2^−8 up to 1.
fn line(update: &DeviceUpdate, error: f64) -> String {
    let marks = ((error.log2() + 8.0) * 5.0).clamp(0.0, BAR as f64) as usize;
    format!(
        "{:>5} {:>5} {:>8.3} {:>9.4}   {:>7.4} {}",
        update.k,
        update.tau,
        update.theta,
        update.g_norm,
        error,
        "#".repeat(marks)
    )
}
