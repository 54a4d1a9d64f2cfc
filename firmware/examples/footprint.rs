//! A learner alone, to measure its flash and static RAM: the difference to the same program without one. The features say
//! which (`footprint-sim`, `footprint-tracking`, or none) and in which arithmetic.
#![no_std]
#![no_main]

use core::hint::black_box;

use cortex_m_rt::entry;
use osculate::Random;
use osculate_firmware::bench::footprint::learn;
use osculate_firmware::{exit_failure, exit_success};

#[entry]
fn main() -> ! {
    // The random generator is not part of the learner's footprint: an application that explores has one anyway.
    let learned = learn(black_box(40) + Random::new(black_box(1)).below(6)).is_some();
    // A plain log line: messages to the host would add their own code to the measurement.
    defmt::info!("{=bool}", learned);
    if learned { exit_success() } else { exit_failure() }
}
