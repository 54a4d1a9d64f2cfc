//! What a device says to people who read its log, instead of sending it to the host.

use core::sync::atomic::{AtomicU32, Ordering};

use osculate_apps::fault::Fault;
use osculate_apps::message::Message;
use osculate_apps::nexting::Moment;
use osculate_apps::store::Origin;

use crate::fault;

/// Readings between two that are logged although nothing is special about them.
const QUIET: u32 = 50;

static READINGS: AtomicU32 = AtomicU32::new(0);

/// Puts a message into words, and leaves out most of what is as expected.
pub(crate) fn say(message: &Message) {
    // Only the main loop changes it, so plain load and store are enough (and all that a Cortex-M0 has).
    let readings = READINGS.load(Ordering::Relaxed);
    match message {
        Message::Moment(moment) => {
            READINGS.store(readings.wrapping_add(1), Ordering::Relaxed);
            if readings.is_multiple_of(QUIET) {
                describe(moment);
            }
        }
        Message::Surprise(bands) => defmt::warn!("surprised: off by {=f32} times the band", short(*bands)),
        Message::Stored(Ok(number)) => {
            defmt::info!("checkpoint {=u32} stored, after {=u32} readings since the boot", number, readings);
        }
        Message::Stored(Err(why)) => defmt::warn!("no checkpoint: {=str}", why.text()),
        Message::Woken { origin, samples } => match origin {
            Origin::Checkpoint(number) => {
                defmt::info!("goes on from checkpoint {=u32}, after {=u32} readings", number, samples);
            }
            Origin::NothingStored => defmt::info!("nothing stored yet: begins to learn"),
            Origin::Refused(_) => defmt::warn!("the checkpoint is of another version: begins to learn"),
            Origin::Unreadable(why) => defmt::warn!("{=str}: begins to learn", why.text()),
        },
        Message::Faults(faults) if faults.total() % QUIET == 1 => {
            for kind in Fault::ALL.iter().filter(|kind| faults.of(**kind) > 0) {
                defmt::warn!("no reading: {=str}; {=u16} times so far", kind.text(), faults.of(*kind));
            }
        }
        Message::Boot(boot) => {
            defmt::warn!("reset {=u32} in a row; the cause of the last:", boot.resets);
            fault::log(&boot.cause);
        }
        _ => {}
    }
}

fn describe(moment: &Moment) {
    let ([reading, _], [next, later, .., last]) = (moment.field, moment.expected.map(short));
    match moment.band {
        None => defmt::info!("reading {=f32}; nothing is expected yet", short(reading)),
        Some(band) => defmt::info!(
            "reading {=f32}; expected: next {=f32} ± {=f32}, over 2 readings {=f32}, over 32 {=f32}",
            short(reading),
            next,
            short(band),
            later,
            last
        ),
    }
}

/// With three decimals, for people.
fn short(number: f32) -> f32 {
    (number * 1000.0) as i32 as f32 / 1000.0
}
