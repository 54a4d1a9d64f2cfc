//! Learns a path with SIM and reports every action and every bit, for the host to compare with its own run.
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
    run::<Q24>(Arith::Q24)?;
    Ok(())
}

fn run<A: Arithmetic>(arith: Arith) -> Result<(), Failure> {
    let policy = learn::<A>(|trail, episode, weights| {
        // The message has room for the longest possible trail.
        report(&Report::Trail(trail.try_into().unwrap_or_default()));
        let (k, theta) = (episode.report.k, episode.report.theta);
        report(&Report::Walk { arith, k, explored: episode.explored, theta, weights });
    })?;
    report(&Report::Policy(arith, policy));
    Ok(())
}
