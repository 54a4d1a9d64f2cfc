//! The room's agent in a simulated house that goes wrong all the time. The command line is `f32|q28 SEED SAMPLES EVERY`.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use cortex_m_stack::{repaint_stack, stack_painted, stack_size};
use osculate::Q28;
use osculate_apps::choice::Rule;
use osculate_apps::failure::Failure;
use osculate_apps::message::Message;
use osculate_apps::room::agent::Settings;
use osculate_firmware::arguments::Arguments;
use osculate_firmware::{finish, report, send};
use osculate_programs::report::Report;
use osculate_programs::soak::{Soaked, run};

#[entry]
fn main() -> ! {
    repaint_stack();
    finish(soak())
}

fn soak() -> Result<(), Failure> {
    let usage = Failure("arguments: f32|q28 SEED SAMPLES EVERY");
    let arguments = Arguments::<64>::read()?;
    let mut words = arguments.words();
    let mut word = || words.next().ok_or(usage);
    let arith = word()?;
    let mut number = || word()?.parse::<u32>().map_err(|_| usage);
    let settings = Settings { seed: number()?.into(), evenings: u32::MAX, rule: Rule::Tracking };
    let (samples, every) = (number()?, number()?);
    let mut tell = |soaked: Soaked| {
        report(&Report::Soaked(soaked));
        send(&Message::Stack(stack_size() - stack_painted()));
    };
    match arith {
        "f32" => run::<f32>(&settings, samples, every, &mut tell),
        "q28" => run::<Q28>(&settings, samples, every, &mut tell),
        _ => Err(usage),
    }
}
