//! Follows a stream that drifts and jumps, and resumes tracking from every saved state, for the host to compare every
//! bit with its own run. The command line may say how many steps.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use cortex_m_stack::{repaint_stack, stack_painted, stack_size};
use osculate_apps::failure::Failure;
use osculate_apps::message::Message;
use osculate_apps::with_arithmetic;
use osculate_firmware::arguments::Arguments;
use osculate_firmware::{finish, report, send};
use osculate_programs::report::Report;
use osculate_programs::{arithmetics, drift, resume};

#[entry]
fn main() -> ! {
    repaint_stack();
    let steps = Arguments::<32>::read().ok().and_then(|arguments| arguments.words().next()?.parse().ok());
    let result = all(steps.unwrap_or(drift::STEPS));
    send(&Message::Stack(stack_size() - stack_painted()));
    finish(result)
}

fn all(steps: u32) -> Result<(), Failure> {
    for arith in arithmetics() {
        let [drifted, resumed] = with_arithmetic!(arith, A => [drift::run::<A>(steps), resume::tracking::<A>()]);
        report(&Report::Drifted(arith, drifted?));
        report(&Report::Resumed(arith, resumed?));
    }
    Ok(())
}
