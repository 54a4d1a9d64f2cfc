//! Learns a path with SIM and reports every action and every bit, for the host to compare with its own run.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use osculate::{Arithmetic, Q24, Q28};
use osculate_apps::choice::Arith;
use osculate_apps::grid::learn;
use osculate_apps::message::Message;
use osculate_firmware::{exit_failure, exit_success, send};

#[entry]
fn main() -> ! {
    run::<f32>(Arith::F32);
    run::<Q28>(Arith::Q28);
    run::<Q24>(Arith::Q24);
    send(&Message::Done);
    exit_success()
}

fn run<A: Arithmetic>(arith: Arith) {
    let policy = learn::<A>(|trail, episode, weights| {
        // The message has room for the longest possible trail.
        send(&Message::Trail(trail.try_into().unwrap_or_default()));
        let (k, theta) = (episode.update.k, episode.update.theta);
        send(&Message::Walk { arith, k, explored: episode.explored, theta, weights });
    });
    match policy {
        Ok(policy) => send(&Message::Policy(arith, policy)),
        Err(error) => {
            defmt::error!("{=str}: {}", arith.name(), defmt::Display2Format(&error));
            exit_failure()
        }
    }
}
