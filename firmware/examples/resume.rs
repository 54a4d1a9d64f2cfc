//! Saves every rule at every step, restores it into a new learner and continues, in every arithmetic.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use osculate::{Arithmetic, Q24, Q28};
use osculate_apps::choice::Arith;
use osculate_apps::failure::Failure;
use osculate_firmware::{finish, report};
use osculate_programs::report::Report;
use osculate_programs::resume::run;

#[entry]
fn main() -> ! {
    finish(all())
}

fn all() -> Result<(), Failure> {
    tell::<f32>(Arith::F32)?;
    tell::<f64>(Arith::F64)?;
    tell::<Q28>(Arith::Q28)?;
    tell::<Q24>(Arith::Q24)?;
    Ok(())
}

fn tell<A: Arithmetic>(arith: Arith) -> Result<(), Failure> {
    report(&Report::Resumed(arith, run::<A>()?));
    Ok(())
}
