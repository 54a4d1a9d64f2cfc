//! Follows a stream that drifts and jumps, and resumes tracking from every saved state, for the host to compare every
//! bit with its own run. The command line may say how many steps.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use cortex_m_stack::{repaint_stack, stack_painted, stack_size};
use osculate::{Arithmetic, Q24, Q28};
use osculate_apps::choice::Arith;
use osculate_apps::failure::Failure;
use osculate_apps::message::Message;
use osculate_firmware::arguments::Arguments;
use osculate_firmware::{finish, report, send};
use osculate_programs::report::Report;
use osculate_programs::{drift, resume};

#[entry]
fn main() -> ! {
    repaint_stack();
    let steps = Arguments::<32>::read().ok().and_then(|arguments| arguments.words().next()?.parse().ok());
    let result = all(steps.unwrap_or(drift::STEPS));
    send(&Message::Stack(stack_size() - stack_painted()));
    finish(result)
}

fn all(steps: u32) -> Result<(), Failure> {
    tell::<f32>(Arith::F32, steps)?;
    tell::<Q28>(Arith::Q28, steps)?;
    tell::<Q24>(Arith::Q24, steps)?;
    Ok(())
}

fn tell<A: Arithmetic>(arith: Arith, steps: u32) -> Result<(), Failure> {
    report(&Report::Drifted(arith, drift::run::<A>(steps)?));
    report(&Report::Resumed(arith, resume::tracking::<A>()?));
    Ok(())
}
