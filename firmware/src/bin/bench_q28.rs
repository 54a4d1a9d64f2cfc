//! Counts the instructions of the learner in fixed point.
#![no_std]
#![no_main]

use cortex_m_rt::entry;

#[entry]
fn main() -> ! {
    osculate_firmware::bench::run::<osculate::Q28>()
}
