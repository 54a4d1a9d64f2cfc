//! Finds its way by SIM and reports every action and every bit, for the host to compare with its own.
#![no_std]
#![no_main]

use core::str::from_utf8;

use cortex_m_rt::entry;
use osculate::{Arithmetic, Q24, Q28};
use osculate_apps::grid::learn;
use osculate_firmware::{exit_failure, exit_success};

#[entry]
fn main() -> ! {
    run::<f32>("f32", f32::to_bits);
    run::<Q28>("q28", |weight| weight.to_bits().cast_unsigned());
    run::<Q24>("q24", |weight| weight.to_bits().cast_unsigned());
    defmt::info!("done");
    exit_success()
}

fn run<A: Arithmetic<Scalar = f32, Target: PartialOrd>>(name: &str, bits: impl Fn(A::Weight) -> u32) {
    let policy = learn::<A>(bits, |trail, outcome, weights| {
        defmt::info!(
            "{=str} {=u32} {=str} {=u32} {=u32:08x} {=[?]:08x}",
            name,
            outcome.update.k,
            trail,
            outcome.explored,
            outcome.update.theta.to_bits(),
            weights
        );
    });
    match policy {
        Ok(policy) => defmt::info!("{=str} policy {=str}", name, from_utf8(&policy).unwrap_or_default()),
        Err(why) => {
            defmt::error!("{=str}: {=str}", name, why);
            exit_failure()
        }
    }
}
