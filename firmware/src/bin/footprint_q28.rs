//! What a binary takes that learns in fixed point: flash and static RAM by its sections.
#![no_std]
#![no_main]

use core::hint::black_box;

use cortex_m_rt::entry;
use osculate::Q28;
use osculate_firmware::bench::footprint;
use osculate_firmware::{exit_failure, exit_success};

#[entry]
fn main() -> ! {
    let (features, reward) = (black_box([1.0; 16]), black_box(1.0));
    let learned = footprint::learn::<Q28>(features, reward).is_some();
    // A line for people, as in `footprint_none`: messages to the host would add their own code to what is measured.
    defmt::info!("{=bool}", learned);
    if learned { exit_success() } else { exit_failure() }
}
