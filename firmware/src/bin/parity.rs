//! Learns the fixed problem and emits every bit of every iterate, for the host to compare with its own.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use osculate::{Batch, Learner};
use osculate_firmware::exit_success;
use osculate_firmware::problem::{FEATURES, Problem, ROWS, SEED, UPDATES};

#[entry]
fn main() -> ! {
    let mut problem = Problem::new(SEED);
    let mut learner = Learner::<f32, FEATURES>::default();
    let mut batch = Batch::<f32, FEATURES, ROWS>::new();
    for _ in 0..UPDATES {
        batch.clear();
        problem.next_batch(|features, value| {
            // The problem has no unusable rows; if it had, the count in the outcome would tell.
            let _ = batch.push(features, value);
        });
        let outcome = learner.update(&batch);
        defmt::info!(
            "update {=u32} {=u32} {=u32} {=u32:08x} {=u32:08x} {=[?]:08x}",
            outcome.k,
            outcome.tau,
            outcome.dropped,
            outcome.theta.to_bits(),
            outcome.g_norm.to_bits(),
            learner.weights().map(f32::to_bits),
        );
    }
    defmt::info!("done");
    exit_success()
}
