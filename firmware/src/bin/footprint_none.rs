//! What a binary takes that does everything but learn; `footprint_f32` less this is the learner.
#![no_std]
#![no_main]

use core::hint::black_box;

use cortex_m_rt::entry;
use osculate_firmware::exit_success;
use rand_core::{Rng, SeedableRng};

#[entry]
fn main() -> ! {
    // The random generator is the application's own.
    let mut random = rand_xoshiro::Xoshiro128PlusPlus::seed_from_u64(black_box(1));
    defmt::info!("{=u32}", black_box(random.next_u32()));
    exit_success()
}
