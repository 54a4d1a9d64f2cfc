//! The measurements of `cargo xtask dev bench`: instructions and stack of each part of the learner, per number of features,
//! in f32, or in q28 with the feature `fixed-point`. What is measured by itself is no part of the library's interface, as in
//! the other on-target tests.
#![no_std]
#![no_main]

mod counter;
mod naive;
mod parts;
mod stored;
mod streams;
mod workload;

use core::mem::size_of;

use cortex_m_rt::entry;
use osculate::{Arithmetic, Log, Stored, Streaming, Tracking};
use osculate_apps::message::Message;
use osculate_firmware::arguments::Arguments;
use osculate_firmware::{exit_failure, exit_success, report, send};
use osculate_programs::report::Report;
use osculate_programs::sizes::SIZES;
use osculate_programs::with_sizes;

use workload::Measurable;

/// The arithmetic that is measured.
#[cfg(feature = "fixed-point")]
type Number = osculate::Q28;
/// The arithmetic that is measured.
#[cfg(not(feature = "fixed-point"))]
type Number = f32;

/// Rows per batch, steps per episode.
const TAU: usize = 32;

/// Frequency of the board's SysTick timer in QEMU.
const MEGAHERTZ: u32 = if cfg!(feature = "board-microbit") {
    16
} else if cfg!(any(feature = "board-mps2-an505", feature = "board-mps2-an505-dsp")) {
    20
} else {
    25
};

/// The largest object that a measurement may put on the stack: most of the board's RAM.
const ROOM: usize = if cfg!(feature = "board-microbit") { 8 * 1024 } else { 1024 * 1024 };

#[entry]
fn main() -> ! {
    run::<Number>()
}

/// Measures everything and reports to the host.
///
/// Selected by the binary's arguments: numbers of features (all if none is given); `trace` leaves the stack unpainted,
/// for a run in which every instruction is recorded; `memory` only reports the RAM of learners, one message for each
/// number of features.
fn run<A: Measurable>() -> ! {
    let Some(peripherals) = cortex_m::Peripherals::take() else { exit_failure() };
    let Some(counter) = counter::Counter::new(peripherals.SYST, MEGAHERTZ) else {
        defmt::error!("the timer does not count instructions: was QEMU started with -icount shift=7,sleep=off?");
        exit_failure()
    };
    let Ok(arguments) = Arguments::<256>::read() else { exit_failure() };
    let (mut wanted, mut all) = ([false; SIZES.len()], true);
    let (mut painted, mut memory) = (true, false);
    for argument in arguments.words() {
        let number = argument.parse::<u32>().ok();
        match SIZES.iter().position(|size| Some(*size) == number) {
            Some(position) => {
                wanted[position] = true;
                all = false;
            }
            None if argument == "trace" => painted = false,
            None if argument == "memory" => memory = true,
            None => {
                defmt::error!("`{=str}` is neither `trace`, `memory` nor one of {=[?]}", argument, SIZES);
                exit_failure()
            }
        }
    }
    let is_wanted = |n: u32| all || SIZES.iter().zip(&wanted).any(|(size, wanted)| *wanted && *size == n);
    macro_rules! send_memory {
        ($($n:literal),*) => { $(
            if is_wanted($n) {
                let [stored, streaming, tracking] = ram::<A, $n>().map(|bytes| bytes as u32);
                report(&Report::Memory { stored, streaming, tracking });
            }
        )* };
    }
    if memory {
        with_sizes!(send_memory);
        finish()
    }
    let meter = parts::Meter { counter, painted };
    macro_rules! measure_each {
        ($($n:literal),*) => { $(
            if is_wanted($n)
                && parts::measure::<A, $n>(&meter).is_err() {
                defmt::error!("a row of the workload was refused");
                exit_failure()
            }
        )* };
    }
    with_sizes!(measure_each);
    finish()
}

fn finish() -> ! {
    send(&Message::Done);
    exit_success()
}

/// The size of a learner: with a log of 32 rows, streaming, and tracking.
const fn ram<A: Arithmetic, const N: usize>() -> [usize; 3] {
    [size_of::<Stored<Log<A, N, TAU, TAU>>>(), size_of::<Streaming<A, N>>(), size_of::<Tracking<A, N>>()]
}
