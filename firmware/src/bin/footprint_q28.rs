//! What a binary takes that learns in fixed point: flash by its sections, RAM by what it says.
#![no_std]
#![no_main]

use core::hint::black_box;

use cortex_m_rt::entry;
use fixed::types::I32F32;
use osculate::Q28;
use osculate::arithmetic::Features;
use osculate_firmware::bench::footprint;
use osculate_firmware::exit_success;

#[entry]
fn main() -> ! {
    let (features, reward) = black_box((Features::new([1 << 14; 16], 0), I32F32::ONE));
    let learned = footprint::learn::<Q28>(features, reward);
    let (logged, batch) = footprint::ram::<Q28>();
    defmt::info!("{=bool} {=usize} {=usize}", learned.is_some(), logged, batch);
    exit_success()
}
