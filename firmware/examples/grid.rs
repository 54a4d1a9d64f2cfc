//! Learns a path with SIM, for the host to compare every action and every bit with its own run.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use osculate::{Arithmetic, Q24, Q28};
use osculate_apps::choice::Arith;
use osculate_apps::failure::Failure;
use osculate_firmware::{finish, report};
use osculate_programs::grid::learn;
use osculate_programs::report::Report;

#[entry]
fn main() -> ! {
    finish(all())
}

fn all() -> Result<(), Failure> {
    run::<f32>(Arith::F32)?;
    run::<Q28>(Arith::Q28)?;
    run::<Q24>(Arith::Q24)
}

fn run<A: Arithmetic>(arith: Arith) -> Result<(), Failure> {
    let (policy, digest) = learn::<A>()?;
    report(&Report::Policy(arith, policy, digest));
    Ok(())
}
