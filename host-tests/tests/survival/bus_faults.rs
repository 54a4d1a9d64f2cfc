//! Every kind of fault at every transaction of the room's bus: at boot, while it samples, and while it stores.

use std::cell::RefCell;
use std::rc::Rc;

use anyhow::Result;
use checkpoint_ring::models::TornEeprom;
use checkpoint_ring::{Checkpoints, EEPROM_ADDRESS, Eeprom};
use embedded_hal::i2c::{ErrorKind, ErrorType, I2c, Operation};
use embedded_io::{Read, Write};
use osculate_apps::choice::Rule;
use osculate_apps::line::{Frames, Request};
use osculate_apps::message::Message;
use osculate_apps::room::agent::{Room, Settings};
use osculate_apps::room::occupant::BYTES;
use osculate_apps::room::sensor::{ADDRESSES, ATTEMPTS, Thermometers};
use osculate_apps::shared_bus::SharedBus;
use osculate_apps::store::Origin;
use osculate_apps::supervision::{Stage, Supervisor};
use osculate_host_tests::worlds::faulty_bus::{FaultyBus, Injection, Kind};
use osculate_lab::room::plant::Scene;
use osculate_lab::room::test_bed::{Bus, Line, NoTime, TestBed};
use osculate_lab::tally::Tally;

/// Two evenings: boot, samples, a checkpoint, and all of it again.
const SETTINGS: Settings = Settings { seed: 4, evenings: 2, rule: Rule::Tracking };
/// How many transactions a fault lasts: one is retried, many are not.
const LENGTHS: [u32; 2] = [1, 40];

/// The room's thermometers and its EEPROM on one bus.
#[derive(Clone, Debug)]
pub(crate) struct Wires {
    /// The thermometers.
    pub(crate) room: Bus,
    /// The memory for checkpoints.
    pub(crate) eeprom: TornEeprom<BYTES>,
}

impl ErrorType for Wires {
    type Error = ErrorKind;
}

impl I2c for Wires {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        match address {
            EEPROM_ADDRESS => self.eeprom.transaction(address, operations),
            _ => self.room.transaction(address, operations),
        }
    }
}

/// What is known about a sample.
#[derive(Default)]
struct Seen {
    /// Since the last stage was over.
    in_stage: u32,
    most_in_sample: u32,
    /// Thermometers whose last transaction gave nothing that could be believed.
    lost: [bool; 3],
    lost_samples: u32,
    learned_blindly: u32,
    heated_blindly: u32,
    /// Whether a thermometer was lost in this sample, and in the one before.
    blind: [bool; 2],
}

/// Knows which of them a fault has spoiled.
struct Observed {
    bus: FaultyBus<Wires>,
    kind: Option<Kind>,
    seen: Rc<RefCell<Seen>>,
}

impl ErrorType for Observed {
    type Error = ErrorKind;
}

impl I2c for Observed {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        let before = self.bus.injected();
        let result = self.bus.transaction(address, operations);
        let mut seen = self.seen.borrow_mut();
        seen.in_stage += 1;
        let spoiled = self.kind.filter(|_| self.bus.injected() > before);
        if let Some(index) = ADDRESSES.iter().position(|known| *known == address) {
            seen.lost[index] = result.is_err() || spoiled.is_some_and(|kind| shows(kind, index));
        }
        result
    }
}

/// Whether a thermometer's data show at once that something is wrong. All zeros are 0 °C, which is no news outside;
/// frozen and jumping readings need others to compare with.
fn shows(kind: Kind, thermometer: usize) -> bool {
    match kind {
        Kind::AllOnes | Kind::OutOfRange => true,
        Kind::AllZeros => thermometer < 2,
        _ => false,
    }
}

/// The most samples without a reading, given those in which a thermometer was lost: it is configured in the next one, and
/// in the first one if that has failed at boot. Readings that need others to compare with are refused without being lost.
fn most_silences(kind: Kind, lost: u32) -> u32 {
    match kind {
        Kind::AllZeros | Kind::Frozen | Kind::Jumping => u32::MAX,
        _ => 2 * lost + 1,
    }
}

/// Divides the life of the room into samples.
struct Watch(Rc<RefCell<Seen>>);

impl Supervisor for Watch {
    fn reached(&mut self, stage: Stage) {
        let mut seen = self.0.borrow_mut();
        if stage == Stage::Sample {
            seen.most_in_sample = seen.most_in_sample.max(seen.in_stage);
            let blind = seen.lost.contains(&true);
            seen.blind = [blind, seen.blind[0]];
            seen.lost_samples += u32::from(blind);
        }
        seen.in_stage = 0;
    }
}

/// The line to the heater, overheard.
struct Tapped {
    line: Line,
    frames: Frames,
    seen: Rc<RefCell<Seen>>,
}

impl embedded_io::ErrorType for Tapped {
    type Error = embedded_io::ErrorKind;
}

impl Write for Tapped {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, embedded_io::ErrorKind> {
        for byte in bytes {
            if let Ok(Some(Request::Heat(1..))) = self.frames.push(*byte) {
                let mut seen = self.seen.borrow_mut();
                seen.heated_blindly += u32::from(seen.blind[0]);
            }
        }
        self.line.write(bytes)
    }

    fn flush(&mut self) -> Result<(), embedded_io::ErrorKind> {
        self.line.flush()
    }
}

impl Read for Tapped {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, embedded_io::ErrorKind> {
        self.line.read(bytes)
    }
}

/// What a life has told.
#[derive(Default)]
struct Told {
    origin: Option<Origin>,
    stored: Option<u32>,
    evenings: u32,
    silences: u32,
    faults: u32,
}

/// A life of the room with this EEPROM, and with this fault.
fn live(eeprom: TornEeprom<BYTES>, injection: Option<Injection>) -> Result<(Seen, Told, FaultyBus<Wires>)> {
    let test_bed = Rc::new(RefCell::new(TestBed::new(Scene::new(SETTINGS.seed))));
    let seen = Rc::new(RefCell::new(Seen::default()));
    let wires = Wires { room: Bus(test_bed.clone()), eeprom };
    let mut faulty = FaultyBus::new(wires);
    if let Some(injection) = injection {
        faulty.inject(injection, None);
    }
    let kind = injection.map(|injection| injection.kind);
    let bus = RefCell::new(Observed { bus: faulty, kind, seen: seen.clone() });
    let mut thermometers = Thermometers::new(&bus);
    thermometers.start(&mut NoTime);
    let keeper = Checkpoints::new(Eeprom::new(SharedBus::new(&bus), NoTime, EEPROM_ADDRESS, BYTES)?);
    let mut told = Told::default();
    let tell = |message: &Message| match message {
        Message::Start(start) => told.origin = Some(start.origin),
        Message::Step(_) => {
            let mut seen = seen.borrow_mut();
            seen.learned_blindly += u32::from(seen.blind.contains(&true));
        }
        Message::Evening(evening) => {
            told.evenings += 1;
            told.silences += evening.silences;
        }
        Message::Faults(faults) => told.faults = faults.total(),
        Message::Stored(Ok(sequence)) => told.stored = Some(*sequence),
        _ => {}
    };
    let line = Line::new(test_bed, Rc::default());
    let line = Tapped { line, frames: Frames::new(), seen: seen.clone() };
    let mut room = Room { thermometers, line, keeper, supervisor: Watch(seen.clone()), tell };
    room.learn::<f32>(&SETTINGS)?;
    drop(room);
    let seen = seen.take();
    Ok((seen, told, bus.into_inner().bus))
}

/// Tries every kind of fault at every `stride`-th transaction of a life.
pub(crate) fn bus_faults(stride: u32) -> Result<Vec<Tally>> {
    let mut bounded = Tally::new("a fault on the bus at any transaction: no hang, every evening is lived");
    let mut safe = Tally::new("a fault on the bus at any transaction: heater off in the same sample");
    let mut learned = Tally::new("a fault on the bus at any transaction: nothing is learned from it");
    let mut counted = Tally::new("a fault on the bus at any transaction: counted");
    let mut kept = Tally::new("a fault on the bus at any transaction: the next boot has the last checkpoint");
    let (_, _, bus) = live(TornEeprom::new(0), None)?;
    let at: Vec<u32> = (0..bus.transactions()).step_by(stride as usize).collect();
    for kind in Kind::ALL {
        for from_transaction in &at {
            for transactions in LENGTHS {
                let injection = Injection { kind, from_transaction: *from_transaction, transactions };
                let (seen, told, bus) = live(TornEeprom::new(0), Some(injection))?;
                let check =
                    |good: bool, what: String| if good { Ok(()) } else { Err(format!("{what}; {injection:?}")) };
                // Every thermometer is configured or read, each in a few attempts.
                let most = 3 * ATTEMPTS;
                bounded.count(check(
                    told.evenings == SETTINGS.evenings && seen.most_in_sample <= most,
                    format!("{} evenings, {} transactions in a sample", told.evenings, seen.most_in_sample),
                ));
                safe.count(check(seen.heated_blindly == 0, format!("heated blindly {} times", seen.heated_blindly)));
                learned
                    .count(check(seen.learned_blindly == 0, format!("learned blindly {} times", seen.learned_blindly)));
                counted.count(check(
                    (seen.lost_samples..=most_silences(kind, seen.lost_samples)).contains(&told.silences)
                        && (told.faults > 0 || seen.lost_samples == 0),
                    format!("{} of {} counted", told.silences, seen.lost_samples),
                ));
                let (_, after, _) = live(bus.into_inner().eeprom, None)?;
                let found = if let Some(Origin::Checkpoint(sequence)) = after.origin { Some(sequence) } else { None };
                kept.count(check(found >= told.stored, format!("{:?} after {:?}", after.origin, told.stored)));
            }
        }
    }
    Ok(vec![bounded, safe, learned, counted, kept])
}
