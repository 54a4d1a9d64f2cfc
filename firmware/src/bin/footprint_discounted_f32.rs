//! A binary that predicts a discounted sum with a tracking learner in f32, to measure its flash and static RAM.
#![no_std]
#![no_main]

use core::hint::black_box;

use cortex_m_rt::entry;
use osculate::Random;
use osculate_firmware::bench::footprint;
use osculate_firmware::{exit_failure, exit_success};

#[entry]
fn main() -> ! {
    // `footprint_none` has a random generator, too.
    let samples = black_box(40) + Random::new(black_box(1)).below(6);
    let predicted = footprint::predict_sum::<f32>(samples).is_some();
    // A plain log line, as in `footprint_none`: messages to the host would add their own code to the measurement.
    defmt::info!("{=bool}", predicted);
    if predicted { exit_success() } else { exit_failure() }
}
