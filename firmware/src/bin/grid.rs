//! Finds its way by SIM and reports every action and every bit, for the host to compare with its own.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use osculate::{Arithmetic, Q24, Q28};
use osculate_apps::grid::learn;
use osculate_apps::message::Message;
use osculate_apps::replay::Arith;
use osculate_firmware::{exit_failure, exit_success, send};

#[entry]
fn main() -> ! {
    run::<f32>(Arith::F32, f32::to_bits);
    run::<Q28>(Arith::Q28, |weight| weight.to_bits().cast_unsigned());
    run::<Q24>(Arith::Q24, |weight| weight.to_bits().cast_unsigned());
    send(&Message::Done);
    exit_success()
}

fn run<A: Arithmetic<Scalar = f32, Target: PartialOrd>>(arith: Arith, bits: impl Fn(A::Weight) -> u32) {
    let policy = learn::<A>(bits, |trail, outcome, weights| {
        // It has room for as many steps as there can be.
        send(&Message::Trail(trail.try_into().unwrap_or_default()));
        send(&Message::Walk {
            arith,
            k: outcome.update.k,
            explored: outcome.explored,
            theta: outcome.update.theta,
            weights,
        });
    });
    match policy {
        Ok(policy) => send(&Message::Policy(arith, policy)),
        Err(why) => {
            defmt::error!("{=str}: {=str}", arith.name(), why);
            exit_failure()
        }
    }
}
