//! A house without a device: its thermometers and its EEPROM on a bus that may fail, and an agent that loses power between
//! its lives.

use std::cell::RefCell;
use std::rc::Rc;

use checkpoint_ring::models::TornEeprom;
use checkpoint_ring::{Checkpoint, Checkpoints, EEPROM_ADDRESS, Eeprom, StoreError};
use embedded_hal::i2c::{ErrorKind, ErrorType, I2c, Operation};
use osculate_apps::choice::Arith;
use osculate_apps::message::Message;
use osculate_apps::room::agent::{Room, Settings};
use osculate_apps::room::occupant::BYTES;
use osculate_apps::room::sensor::Thermometers;
use osculate_apps::room::telemetry::{Evening, Known, Start};
use osculate_apps::shared_bus::SharedBus;
use osculate_apps::store::Keeper;
use osculate_apps::supervision::{Stage, Supervisor};
use osculate_apps::with_arithmetic;
use osculate_host_tests::worlds::faulty_bus::FaultyBus;
use osculate_lab::room::plant::Scene;
use osculate_lab::room::test_bed::{Bus, Line, Moment, NoTime, TestBed};

/// The room's thermometers and its EEPROM on one bus.
#[derive(Clone, Debug)]
pub(crate) struct Wires {
    /// The thermometers.
    room: Bus,
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

/// What happens in a life, in the order in which it happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Event {
    /// A transaction: with whom, whether a fault was injected into it, and whether it failed.
    Transaction { address: u8, is_spoiled: bool, has_failed: bool },
    /// A stage of the loop is over.
    Reached(Stage),
    /// A sample was learned from.
    Learned,
    /// A checkpoint is to be stored.
    Stored,
}

/// Whom all events are told.
type Ear<'e> = RefCell<&'e mut dyn FnMut(Event)>;

/// A bus, a supervisor or a keeper that is overheard.
struct Overheard<'e, T>(T, &'e Ear<'e>);

impl<T> Overheard<'_, T> {
    fn tell(&self, event: Event) {
        (self.1.borrow_mut())(event);
    }
}

impl ErrorType for Overheard<'_, &RefCell<FaultyBus<Wires>>> {
    type Error = ErrorKind;
}

impl I2c for Overheard<'_, &RefCell<FaultyBus<Wires>>> {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        let before = self.0.borrow().injected();
        let result = self.0.borrow_mut().transaction(address, operations);
        let (is_spoiled, has_failed) = (self.0.borrow().injected() > before, result.is_err());
        self.tell(Event::Transaction { address, is_spoiled, has_failed });
        result
    }
}

impl Supervisor for Overheard<'_, ()> {
    fn reached(&mut self, stage: Stage) {
        self.tell(Event::Reached(stage));
    }
}

impl<K: Keeper> Keeper for Overheard<'_, K> {
    fn newest<'b>(&mut self, buffer: &'b mut [u8]) -> Result<Option<Checkpoint<'b>>, StoreError> {
        self.0.newest(buffer)
    }

    fn store(&mut self, bytes: &[u8]) -> Result<u32, StoreError> {
        self.tell(Event::Stored);
        self.0.store(bytes)
    }
}

/// A house whose device loses power between its lives.
pub(crate) struct Home {
    pub(crate) test_bed: Rc<RefCell<TestBed>>,
    trails: Rc<RefCell<Vec<Vec<Moment>>>>,
    pub(crate) bus: RefCell<FaultyBus<Wires>>,
}

/// What a device has told.
#[derive(Default)]
pub(crate) struct Life {
    pub(crate) starts: Vec<Start>,
    pub(crate) evenings: Vec<(Known, Evening)>,
    pub(crate) stored: Vec<Result<u32, StoreError>>,
    /// The faults of its sensors since it booted.
    pub(crate) faults: u32,
}

impl Home {
    pub(crate) fn new(seed: u64, eeprom: TornEeprom<BYTES>) -> Self {
        let test_bed = Rc::new(RefCell::new(TestBed::new(Scene::new(seed))));
        let wires = Wires { room: Bus(test_bed.clone()), eeprom };
        Self { test_bed, trails: Rc::default(), bus: RefCell::new(FaultyBus::new(wires)) }
    }

    /// Boots, and lives to the end of the last evening.
    pub(crate) fn live(&self, arith: Arith, settings: &Settings, mut hear: impl FnMut(Event)) -> Life {
        let (mut life, mut known) = (Life::default(), None);
        let ear: Ear<'_> = RefCell::new(&mut hear);
        let bus = RefCell::new(Overheard(&self.bus, &ear));
        let mut thermometers = Thermometers::new(&bus);
        thermometers.start(&mut NoTime);
        let eeprom = Eeprom::new(SharedBus::new(&bus), NoTime, EEPROM_ADDRESS, BYTES).unwrap();
        let mut room = Room {
            thermometers,
            line: Line::new(self.test_bed.clone(), self.trails.clone()),
            keeper: Overheard(Checkpoints::new(eeprom), &ear),
            supervisor: Overheard((), &ear),
            tell: |message: &Message| match message {
                Message::Start(start) => life.starts.push(*start),
                Message::Step(_) => (ear.borrow_mut())(Event::Learned),
                Message::Known(house) => known = Some(*house),
                Message::Evening(evening) => life.evenings.push((known.take().unwrap(), *evening)),
                Message::Stored(stored) => life.stored.push(*stored),
                Message::Faults(faults) => life.faults = faults.total(),
                _ => {}
            },
        };
        with_arithmetic!(arith, A => room.learn::<A>(settings)).unwrap();
        drop(room);
        life
    }

    /// Every step so far.
    pub(crate) fn trails(&self) -> Vec<Vec<Moment>> {
        let last = self.test_bed.borrow().trail().to_vec();
        self.trails.borrow().iter().cloned().chain([last]).collect()
    }
}
