//! The measurements of `cargo xtask dev bench`: instructions and stack of each part of the learner, per number of features.

pub mod counter;
pub mod footprint;
mod naive;
mod parts;
mod stored;
mod streams;
mod workload;

pub use naive::Naive;
pub use workload::Measurable;

use osculate_apps::message::Message;
use osculate_programs::report::Report;
use osculate_programs::sizes::SIZES;
use osculate_programs::with_sizes;

use crate::arguments::Arguments;

/// The arithmetic that is measured.
#[cfg(feature = "fixed-point")]
pub type Number = osculate::Q28;
/// The arithmetic that is measured.
#[cfg(not(feature = "fixed-point"))]
pub type Number = f32;

/// Rows per batch, steps per episode.
pub const TAU: usize = 32;

/// Frequency of the board's SysTick timer in QEMU.
pub const MEGAHERTZ: u32 = if cfg!(feature = "board-microbit") {
    16
} else if cfg!(any(feature = "board-mps2-an505", feature = "board-mps2-an505-dsp")) {
    20
} else {
    25
};

/// The largest object that a measurement may put on the stack: most of the board's RAM.
const ROOM: usize = if cfg!(feature = "board-microbit") { 8 * 1024 } else { 1024 * 1024 };

/// Measures everything and reports to the host.
///
/// Selected by the binary's arguments: numbers of features (all if none is given); `trace` leaves the stack unpainted,
/// for a run in which every instruction is recorded; `memory` only reports the RAM of learners, one message for each
/// number of features.
pub fn run<A: Measurable>() -> ! {
    let Some(peripherals) = cortex_m::Peripherals::take() else { crate::exit_failure() };
    let Some(counter) = counter::Counter::new(peripherals.SYST, MEGAHERTZ) else {
        defmt::error!("the timer does not count instructions: was QEMU started with -icount shift=7,sleep=off?");
        crate::exit_failure()
    };
    let Ok(arguments) = Arguments::<256>::read() else { crate::exit_failure() };
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
                crate::exit_failure()
            }
        }
    }
    let is_wanted = |n: u32| all || SIZES.iter().zip(&wanted).any(|(size, wanted)| *wanted && *size == n);
    macro_rules! send_memory {
        ($($n:literal),*) => { $(
            if is_wanted($n) {
                let [stored, streaming, tracking] = footprint::ram::<A, $n>().map(|bytes| bytes as u32);
                crate::report(&Report::Memory { stored, streaming, tracking });
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
                && parts::measure::<A, $n>(&meter, |count| crate::report(&Report::Count(count))).is_err() {
                defmt::error!("a row of the workload was refused");
                crate::exit_failure()
            }
        )* };
    }
    with_sizes!(measure_each);
    finish()
}

fn finish() -> ! {
    crate::send(&Message::Done);
    crate::exit_success()
}
