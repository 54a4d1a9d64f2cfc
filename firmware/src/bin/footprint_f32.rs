//! What a binary takes that learns in f32: flash by its sections, RAM by what it says.
#![no_std]
#![no_main]

use core::hint::black_box;

use cortex_m_rt::entry;
use osculate_firmware::bench::footprint;
use osculate_firmware::exit_success;

#[entry]
fn main() -> ! {
    let (features, reward) = (black_box([1.0; 16]), black_box(1.0));
    let learned = footprint::learn::<f32>(features, reward);
    let (logged, batch) = footprint::ram::<f32>();
    defmt::info!("{=bool} {=usize} {=usize}", learned.is_some(), logged, batch);
    exit_success()
}
