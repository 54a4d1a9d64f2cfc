//! A binary that does everything but learn. The learner is the difference between `footprint_f32` and this.
#![no_std]
#![no_main]

use core::hint::black_box;

use cortex_m_rt::entry;
use osculate::Random;
use osculate_firmware::exit_success;

#[entry]
fn main() -> ! {
    // The random generator is not part of the learner's footprint: an application that explores has one anyway.
    let mut random = Random::new(black_box(1));
    defmt::info!("{=u32}", black_box(random.below(6)));
    exit_success()
}
