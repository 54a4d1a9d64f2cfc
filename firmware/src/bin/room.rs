//! Learns to heat a room from its thermometers: the device's side of `cargo xtask demo`.
//!
//! The command line is `RULE SEED EVENINGS`, optionally followed by `record` to report every step as it is learned
//! from. The arithmetic is fixed at build time by the feature `fixed-point`: no device needs two.
#![no_std]
#![no_main]

use core::cell::RefCell;

use cortex_m_rt::entry;
use cortex_m_stack::{repaint_stack, stack_painted, stack_size};
use osculate::Q28;
use osculate_apps::choice::Rule;
use osculate_apps::failure::Failure;
use osculate_apps::message::Message;
use osculate_apps::room::agent::{Room, Settings};
use osculate_apps::room::sensor::Thermometers;
use osculate_firmware::arguments::Arguments;
use osculate_firmware::board::mps2::Peripherals;
use osculate_firmware::{finish, send};

#[entry]
fn main() -> ! {
    // Here and not in the start-up code: that would paint megabytes in every binary, even when instructions are traced.
    repaint_stack();
    let result = learn();
    send(&Message::Stack(stack_size() - stack_painted()));
    finish(result)
}

fn learn() -> Result<(), Failure> {
    let usage = Failure("arguments: paper|predictable|streaming|plain|tracking SEED EVENINGS [record]");
    let arguments = Arguments::<128>::read()?;
    let mut words = arguments.words();
    let mut word = || words.next().ok_or(usage);
    let rule = Rule::named(word()?).ok_or(usage)?;
    let seed = word()?.parse().map_err(|_| usage)?;
    let evenings = word()?.parse().map_err(|_| usage)?;
    let records = word().is_ok_and(|word| word == "record");

    let mut board = Peripherals::take().ok_or(Failure("the board's peripherals are in use"))?;
    let bus = RefCell::new(board.i2c);
    let mut thermometers = Thermometers::new(&bus);
    thermometers.start(&mut board.timer);
    let tell = |message: &Message| {
        if records || !matches!(message, Message::Step(_)) {
            send(message);
        }
    };
    let mut room = Room { thermometers, line: board.uart, tell };
    let learn = if cfg!(feature = "fixed-point") { Room::learn::<Q28> } else { Room::learn::<f32> };
    learn(&mut room, &Settings { seed, evenings, rule })
}
