//! Counts the instructions of the learner: in f32, or in q28 with the feature `fixed-point`.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use osculate_firmware::bench::{Number, run};

#[entry]
fn main() -> ! {
    run::<Number>()
}
