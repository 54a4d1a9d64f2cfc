//! Learns to heat a room from its thermometers: the device's side of `cargo xtask demo`.
//!
//! The command line is `RULE SEED EVENINGS`, and `record` where every step is to be told as it is learned from. The arithmetic
//! is chosen when it is built, by the feature `fixed-point`: no device needs two.
#![no_std]
#![no_main]

use core::cell::RefCell;

use cortex_m_rt::entry;
use cortex_m_stack::{repaint_stack, stack_painted, stack_size};
use osculate::Q28;
use osculate::features::FeatureMap;
use osculate_apps::choice::Rule;
use osculate_apps::message::Message;
use osculate_apps::room::Failure;
use osculate_apps::room::actuator::Heater;
use osculate_apps::room::agent::{Room, Settings};
use osculate_apps::room::features::Bowl;
use osculate_apps::room::sensor::Thermometers;
use osculate_apps::room::telemetry::{Evening, Recorded, Step, Telemetry};
use osculate_firmware::board::mps2::Peripherals;
use osculate_firmware::{exit_failure, exit_success, send};
use semihosting::experimental::env;

#[entry]
fn main() -> ! {
    // Here, not by the start-up code: that would paint megabytes in every binary, also where instructions are traced.
    repaint_stack();
    match learn() {
        Ok(()) => {
            send(&Message::Stack(stack_size() - stack_painted()));
            defmt::info!("done");
            exit_success()
        }
        Err(problem) => {
            defmt::error!("{}", defmt::Display2Format(&problem));
            exit_failure()
        }
    }
}

/// What keeps the agent from learning.
#[derive(Debug)]
enum Problem {
    Usage,
    Taken,
    Agent(Failure),
}

impl<F: Into<Failure>> From<F> for Problem {
    fn from(failure: F) -> Self {
        Self::Agent(failure.into())
    }
}

impl core::fmt::Display for Problem {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Usage => f.write_str("arguments: paper|predictable|streaming|plain SEED EVENINGS [record]"),
            Self::Taken => f.write_str("the board's peripherals are in use"),
            Self::Agent(failure) => failure.fmt(f),
        }
    }
}

fn learn() -> Result<(), Problem> {
    let arguments = env::args::<128>().map_err(|_| Problem::Usage)?;
    let mut words = arguments.skip(1).map(|word| word.unwrap_or_default());
    let mut word = || words.next().ok_or(Problem::Usage);
    let rule = Rule::named(word()?).ok_or(Problem::Usage)?;
    let seed = word()?.parse().map_err(|_| Problem::Usage)?;
    let evenings = word()?.parse().map_err(|_| Problem::Usage)?;
    let settings = Settings { seed, evenings, rule };
    let telemetry = Log { records: word().is_ok_and(|word| word == "record") };

    let mut board = Peripherals::take().ok_or(Problem::Taken)?;
    let bus = RefCell::new(board.i2c);
    let thermometers = Thermometers::start(&bus, &mut board.timer)?;
    let mut room = Room { thermometers, heater: Heater(board.uart), telemetry };
    let learn = if cfg!(feature = "fixed-point") { Room::learn::<Q28> } else { Room::learn::<f32> };
    Ok(learn(&mut room, &settings)?)
}

/// Tells the host.
struct Log {
    records: bool,
}

impl Telemetry for Log {
    fn step(&mut self, step: &Step) {
        if self.records {
            let Step { row, reading, reward } = *step;
            // What has no features was not learned from either.
            if let Ok(features) = Bowl.features(&reading) {
                send(&Message::Step(Recorded { row, reward, features }));
            }
        }
    }

    fn evening(&mut self, evening: &Evening) {
        send(&Message::Evening(*evening));
    }
}
