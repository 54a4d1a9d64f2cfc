//! What a binary takes that does everything but learn; `footprint_f32` less this is the learner.
#![no_std]
#![no_main]

use core::hint::black_box;

use cortex_m_rt::entry;
use osculate_firmware::exit_success;
use rand_core::{Rng, SeedableRng};

#[entry]
fn main() -> ! {
    // The application's own: its random generator, and the compiler's routines that copy and clear memory.
    let mut random = rand_xoshiro::Xoshiro128PlusPlus::seed_from_u64(black_box(1));
    let (words, bytes, length) = (black_box([1_u32; 64]), black_box([1_u8; 64]), black_box(60));
    let mut copies = (black_box([0_u32; 64]), black_box([0_u8; 64]));
    copies.0[..length].copy_from_slice(&words[..length]);
    copies.1[..length].copy_from_slice(&bytes[..length]);
    black_box(&copies);
    defmt::info!("{=u32}", random.next_u32());
    exit_success()
}
