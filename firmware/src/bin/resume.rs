//! Saves every rule at every step, restores it into a new learner and continues, in every arithmetic that fits the
//! board.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use osculate::{Q24, Q28, Q28Wide};
use osculate_apps::choice::Arith;
use osculate_apps::message::Message;
use osculate_apps::resume::{Failure, run};
use osculate_firmware::{exit_failure, exit_success, send};

#[entry]
fn main() -> ! {
    tell(Arith::F32, run::<f32>());
    tell(Arith::F64, run::<f64>());
    tell(Arith::Q28, run::<Q28>());
    tell(Arith::Q24, run::<Q24>());
    tell(Arith::Q28Wide, run::<Q28Wide>());
    // The micro:bit has no room for all of them.
    #[cfg(not(feature = "board-microbit"))]
    tell(Arith::Q24Wide, run::<osculate::Q24Wide>());
    send(&Message::Done);
    exit_success()
}

fn tell(arith: Arith, digest: Result<u64, Failure>) {
    match digest {
        Ok(digest) => send(&Message::Resumed(arith, digest)),
        Err(failure) => {
            defmt::error!("{=str}: {}", arith.name(), defmt::Debug2Format(&failure));
            exit_failure()
        }
    }
}
