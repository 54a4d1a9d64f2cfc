//! A soak test: the room's agent in a house that goes wrong all the time.
//!
//! Everything around the agent is simulated, so that a device needs no host and runs at full speed: the house, its
//! thermometers and its EEPROM on a bus with faults, and a power supply that fails now and then. Host and device compute
//! the same.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`world`] | the house, the bus with its faults, and the line to the heater |

mod world;

use core::cell::RefCell;

use checkpoint_ring::{Checkpoints, EEPROM_ADDRESS, Eeprom};
use embedded_hal::delay::DelayNs;
use osculate::{Arithmetic, Random};
use serde::{Deserialize, Serialize};

use self::world::{Bus, Line, World};
use osculate_apps::digest::Digest;
use osculate_apps::failure::{Failure, Result};
use osculate_apps::message::{MOST, Message, to_bytes};
use osculate_apps::room::agent::{Room, Settings};
use osculate_apps::room::occupant::BYTES;
use osculate_apps::room::sensor::Thermometers;
use osculate_apps::shared_bus::SharedBus;
use osculate_apps::supervision::Unwatched;

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Soaked {
    /// Samples so far.
    pub samples: u32,
    /// Boots so far: one, and one after each power cut.
    pub boots: u32,
    /// Boots that went on from a checkpoint.
    pub resumed: u32,
    /// Faults injected on the bus so far.
    pub faults: u32,
    /// Of every report so far, weights included.
    pub digest: u64,
}

/// A delay that returns at once.
#[derive(Clone, Copy, Debug)]
pub struct NoTime;

impl DelayNs for NoTime {
    fn delay_ns(&mut self, _: u32) {}
}

/// Lives in the house for this many samples, through every fault and power cut. Reports in regular intervals.
///
/// # Errors
/// [`Failure`] if a promise is broken: a checkpoint was restored that is older than the last one that was stored
/// completely, or the heater was on without a reading.
pub fn run<A: Arithmetic>(settings: &Settings, samples: u32, every: u32, tell: &mut dyn FnMut(Soaked)) -> Result<()> {
    let world = RefCell::new(World::new(Random::new(settings.seed ^ 0x50ac)));
    let mut soaked = Soaked { samples: 0, boots: 0, resumed: 0, faults: 0, digest: 0 };
    let mut digest = Digest::new();
    let (mut stored, mut broken, mut reported) = (None, None, 0_u32);
    while soaked.samples < samples {
        soaked.boots += 1;
        world.try_borrow_mut().map_err(|_| BORROWED)?.switch_on(samples);
        let bus = RefCell::new(Bus(&world));
        let mut thermometers = Thermometers::new(&bus);
        thermometers.start(&mut NoTime);
        let keeper = Checkpoints::new(Eeprom::new(SharedBus::new(&bus), NoTime, EEPROM_ADDRESS, BYTES)?);
        let report = |message: &Message| {
            let mut bytes = [0; MOST];
            digest.add(to_bytes(message, &mut bytes).unwrap_or_default());
            match message {
                Message::Start(start) => match start.origin.is_no_older_than(stored) {
                    Some(resumed) => soaked.resumed += u32::from(resumed),
                    None => broken = Some(OLD),
                },
                Message::Stored(Ok(sequence)) => stored = Some(*sequence),
                _ => {}
            }
            let Ok(world) = world.try_borrow() else { return };
            if world.samples >= reported.saturating_add(every) && world.samples < samples {
                reported = world.samples;
                (soaked.samples, soaked.faults, soaked.digest) = (reported, world.faults, digest.value());
                tell(soaked);
            }
        };
        let mut room = Room { thermometers, line: Line::new(&world), keeper, supervisor: Unwatched, tell: report };
        // It ends when the line does: power has failed, or it is enough.
        _ = room.learn::<A>(settings);
        let world = world.try_borrow().map_err(|_| BORROWED)?;
        soaked.samples = world.samples;
        if let Some(failure) = broken.or(world.broken) {
            return Err(failure);
        }
        soaked.faults = world.faults;
    }
    soaked.digest = digest.value();
    tell(soaked);
    Ok(())
}

const BORROWED: Failure = Failure("the world is in use");
const OLD: Failure = Failure("a checkpoint that was stored completely is lost");
