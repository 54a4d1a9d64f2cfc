//! Saves every rule at every step, restores it into a new learner and continues, in every arithmetic.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use osculate_apps::choice::Arith;
use osculate_apps::failure::Failure;
use osculate_apps::with_arithmetic;
use osculate_firmware::{finish, report};
use osculate_programs::report::Report;
use osculate_programs::resume::run;

#[entry]
fn main() -> ! {
    finish(all())
}

fn all() -> Result<(), Failure> {
    for arith in Arith::ALL {
        report(&Report::Resumed(arith, with_arithmetic!(arith, A => run::<A>())?));
    }
    Ok(())
}
