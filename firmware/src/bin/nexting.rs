//! Predicts the board's own sensor, shows surprise on its light, and keeps what it has learned across power cuts.
//!
//! On an emulated board the host is told every reading and what was expected (`cargo xtask nexting`); on a real one the
//! log says in words what is worth reading (`cargo xtask flash`).
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use osculate_apps::failure::Failure;
use osculate_apps::message::Message;
use osculate_firmware::board::{Number, device};
use osculate_firmware::{finish, post_mortem, survive, tell};

#[entry]
fn main() -> ! {
    survive();
    finish(learn())
}

fn learn() -> Result<(), Failure> {
    let boot = post_mortem::take();
    defmt::info!("board {=str}", osculate_firmware::BOARD);
    if let Some(boot) = boot {
        tell(&Message::Boot(boot));
    }
    device()?.learn::<Number>(tell)
}
