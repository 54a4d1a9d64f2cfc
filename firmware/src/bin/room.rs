//! Learns to heat a room from its thermometers: the device's side of `cargo xtask demo`.
//!
//! The command line is `RULE SEED EVENINGS`, optionally followed by `record` to report every step as it is learned from,
//! and by `hang STAGE ROUND` to stop at a stage of the loop, once, as a fault would. The arithmetic is fixed at build time
//! by the feature `fixed-point`: no device needs two. The feature `episodes` adds the rules that learn from whole evenings.
#![no_std]
#![no_main]

use core::cell::RefCell;

use checkpoint_ring::{Checkpoints, EEPROM_ADDRESS, Eeprom};
use cortex_m_rt::entry;
use cortex_m_stack::{repaint_stack, stack_painted, stack_size};
use osculate::Q28;
use osculate_apps::choice::Rule;
use osculate_apps::failure::Failure;
use osculate_apps::message::Message;
use osculate_apps::room::agent::{Room, Settings};
use osculate_apps::room::occupant::BYTES;
use osculate_apps::room::sensor::Thermometers;
use osculate_apps::shared_bus::SharedBus;
use osculate_apps::supervision::Stage;
use osculate_firmware::arguments::Arguments;
use osculate_firmware::board::mps2::Peripherals;
use osculate_firmware::hanging::Hanging;
use osculate_firmware::{finish, post_mortem, send, survive};

#[entry]
fn main() -> ! {
    // Here and not in the start-up code: that would paint megabytes in every binary, even when instructions are traced.
    repaint_stack();
    survive();
    let result = learn();
    send(&Message::Stack(stack_size() - stack_painted()));
    finish(result)
}

fn learn() -> Result<(), Failure> {
    let boot = post_mortem::take();
    let usage =
        Failure("arguments: paper|predictable|streaming|plain|tracking SEED EVENINGS [record] [hang STAGE ROUND]");
    let arguments = Arguments::<128>::read()?;
    let mut words = arguments.words();
    let rule = words.next().and_then(Rule::named).ok_or(usage)?;
    let seed = words.next().and_then(|word| word.parse().ok()).ok_or(usage)?;
    let evenings = words.next().and_then(|word| word.parse().ok()).ok_or(usage)?;
    let (mut records, mut hang) = (false, None);
    while let Some(word) = words.next() {
        match word {
            "record" => records = true,
            "hang" => hang = words.next().and_then(Stage::named).zip(words.next().and_then(|word| word.parse().ok())),
            _ => return Err(usage),
        }
    }
    // Only in the first life: the next one is to go on.
    let hang = hang.filter(|_| boot.is_none());
    if let Some(boot) = boot {
        send(&Message::Boot(boot));
    }

    let board = Peripherals::take().ok_or(Failure("the board's peripherals are in use"))?;
    let (bus, mut timer) = (RefCell::new(board.i2c), board.timer);
    let supervisor = Hanging { supervisor: board.watchdog.start(), hang };
    let mut thermometers = Thermometers::new(&bus);
    thermometers.start(&mut timer);
    let keeper = Eeprom::new(SharedBus::new(&bus), timer, EEPROM_ADDRESS, BYTES)?;
    let tell = |message: &Message| {
        if records || !matches!(message, Message::Step(_)) {
            send(message);
        }
    };
    let mut room = Room { thermometers, line: board.uart, keeper: Checkpoints::new(keeper), supervisor, tell };
    let settings = Settings { seed, evenings, rule };
    match (cfg!(feature = "fixed-point"), cfg!(feature = "episodes")) {
        (false, false) => room.track::<f32>(&settings),
        (false, true) => room.learn::<f32>(&settings),
        (true, false) => room.track::<Q28>(&settings),
        (true, true) => room.learn::<Q28>(&settings),
    }
}
