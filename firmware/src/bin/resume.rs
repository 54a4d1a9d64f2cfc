//! Saves every rule at every step, restores it into a new learner and continues, in every arithmetic.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use osculate::{Arithmetic, Q24, Q28};
use osculate_apps::choice::Arith;
use osculate_apps::failure::Failure;
use osculate_apps::message::Message;
use osculate_apps::resume::run;
use osculate_firmware::{finish, send};

#[entry]
fn main() -> ! {
    finish(all())
}

fn all() -> Result<(), Failure> {
    tell::<f32>(Arith::F32)?;
    tell::<f64>(Arith::F64)?;
    tell::<Q28>(Arith::Q28)?;
    tell::<Q24>(Arith::Q24)?;
    send(&Message::Done);
    Ok(())
}

fn tell<A: Arithmetic>(arith: Arith) -> Result<(), Failure> {
    send(&Message::Resumed(arith, run::<A>()?));
    Ok(())
}
