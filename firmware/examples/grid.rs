//! Learns a path with SIM, for the host to compare every action and every bit with its own run.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use osculate_apps::failure::Failure;
use osculate_apps::with_arithmetic;
use osculate_firmware::{finish, report};
use osculate_programs::arithmetics;
use osculate_programs::grid::learn;
use osculate_programs::report::Report;

#[entry]
fn main() -> ! {
    finish(all())
}

fn all() -> Result<(), Failure> {
    for arith in arithmetics() {
        let (policy, digest) = with_arithmetic!(arith, A => learn::<A>())?;
        report(&Report::Policy(arith, policy, digest));
    }
    Ok(())
}
