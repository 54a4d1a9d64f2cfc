//! Promise: after a power cut the room goes on from its checkpoint as if nothing had happened, or it starts anew and
//! says why. It stores once an evening, and reports a stage of its loop when that is over.

use std::cell::RefCell;
use std::fs;
use std::rc::Rc;

use checkpoint_ring::models::{Part, TornEeprom, TornFlash};
use checkpoint_ring::{Checkpoint, Checkpoints, EEPROM_ADDRESS, Eeprom, StoreError};
use osculate::StateError;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::message::Message;
use osculate_apps::room::agent::{Room, Settings};
use osculate_apps::room::occupant::BYTES;
use osculate_apps::room::sensor::{ADDRESSES, Thermometers};
use osculate_apps::room::telemetry::{Evening, Known, Start};
use osculate_apps::shared_bus::SharedBus;
use osculate_apps::store::{Keeper, Origin};
use osculate_apps::supervision::{Stage, Supervisor};
use osculate_apps::with_arithmetic;
use osculate_host_tests::worlds::faulty_bus::{FaultyBus, Injection, Kind};
use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;
use osculate_lab::firmware;
use osculate_lab::room::plant::Scene;
use osculate_lab::room::test_bed::{Bus, Line, Moment, NoTime, TestBed};
use osculate_lab::temporary::TemporaryFolder;

use crate::bus_faults::Wires;

/// A house whose device loses power between its lives.
struct House {
    test_bed: Rc<RefCell<TestBed>>,
    trails: Rc<RefCell<Vec<Vec<Moment>>>>,
    bus: RefCell<FaultyBus<Wires>>,
}

/// What a device told, and what it did.
#[derive(Default)]
struct Life {
    starts: Vec<Start>,
    evenings: Vec<(Known, Evening)>,
    stored: Vec<Result<u32, StoreError>>,
    events: Vec<Event>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Reached(Stage),
    Learned,
    Stored,
}

/// A supervisor, and a keeper, that write down when they are called.
struct Overheard<'e, T>(T, &'e RefCell<Vec<Event>>);

impl Supervisor for Overheard<'_, ()> {
    fn reached(&mut self, stage: Stage) {
        self.1.borrow_mut().push(Event::Reached(stage));
    }
}

impl<K: Keeper> Keeper for Overheard<'_, K> {
    fn newest<'b>(&mut self, buffer: &'b mut [u8]) -> Result<Option<Checkpoint<'b>>, StoreError> {
        self.0.newest(buffer)
    }

    fn store(&mut self, bytes: &[u8]) -> Result<u32, StoreError> {
        self.1.borrow_mut().push(Event::Stored);
        self.0.store(bytes)
    }
}

impl House {
    fn new() -> Self {
        let test_bed = Rc::new(RefCell::new(TestBed::new(Scene::new(7))));
        let wires = Wires { room: Bus(test_bed.clone()), eeprom: TornEeprom::new(7) };
        Self { test_bed, trails: Rc::default(), bus: RefCell::new(FaultyBus::new(wires)) }
    }

    /// Boots, and lives to the end of this evening.
    fn live(&self, rule: Rule, arith: Arith, evenings: u32) -> Life {
        let (mut life, events, mut known) = (Life::default(), RefCell::default(), None);
        let mut thermometers = Thermometers::new(&self.bus);
        thermometers.start(&mut NoTime);
        let eeprom = Eeprom::new(SharedBus::new(&self.bus), NoTime, EEPROM_ADDRESS, BYTES).unwrap();
        let mut room = Room {
            thermometers,
            line: Line::new(self.test_bed.clone(), self.trails.clone()),
            keeper: Overheard(Checkpoints::new(eeprom), &events),
            supervisor: Overheard((), &events),
            tell: |message: &Message| match message {
                Message::Start(start) => life.starts.push(*start),
                Message::Step(_) => events.borrow_mut().push(Event::Learned),
                Message::Known(house) => known = Some(*house),
                Message::Evening(evening) => life.evenings.push((known.take().unwrap(), *evening)),
                Message::Stored(stored) => life.stored.push(*stored),
                _ => {}
            },
        };
        let settings = Settings { seed: 7, evenings, rule };
        with_arithmetic!(arith, A => room.learn::<A>(&settings)).unwrap();
        drop(room);
        Life { events: events.take(), ..life }
    }

    /// Every step so far.
    fn trails(&self) -> Vec<Vec<Moment>> {
        let last = self.test_bed.borrow().trail().to_vec();
        self.trails.borrow().iter().cloned().chain([last]).collect()
    }

    /// The EEPROM does not answer this many times after the next boot has configured the thermometers.
    fn silence_eeprom(&self, transactions: u32) {
        let mut bus = self.bus.borrow_mut();
        let from_transaction = bus.transactions() + ADDRESSES.len() as u32;
        bus.inject(Injection { kind: Kind::AddressNack, from_transaction, transactions }, Some(EEPROM_ADDRESS));
    }
}

#[test]
fn two_lives_are_the_same_as_one() {
    for (_, rule) in Rule::NAMES {
        for arith in [Arith::F32, Arith::Q28] {
            let (whole, parted) = (House::new(), House::new());
            let one = whole.live(rule, arith, 6);
            let (first, second) = (parted.live(rule, arith, 4), parted.live(rule, arith, 6));
            assert_eq!(first.starts, [Start { origin: Origin::NothingStored, evenings: 0 }]);
            assert_eq!(second.starts, [Start { origin: Origin::Checkpoint(4), evenings: 4 }], "{rule:?} {arith:?}");
            assert_eq!([first.evenings, second.evenings].concat(), one.evenings, "{rule:?} {arith:?}");
            assert_eq!(parted.trails(), whole.trails(), "{rule:?} {arith:?}");
            assert_eq!([first.stored, second.stored].concat(), (1..=6).map(Ok).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_checkpoint_of_another_shape_is_refused_with_a_reason_and_replaced() {
    let (tracking, paper) = ((Rule::Tracking, Arith::F32), (Rule::Paper, Arith::F32));
    let fixed = (Rule::Tracking, Arith::Q28);
    for (before, after) in [(tracking, paper), (paper, tracking), (tracking, fixed), (fixed, tracking)] {
        let (house, fresh) = (House::new(), House::new());
        house.live(before.0, before.1, 2);
        *house.test_bed.borrow_mut() = TestBed::new(Scene::new(7));
        let anew = house.live(after.0, after.1, 2);
        let is_other_rule = before.0 != after.0;
        let origin = Origin::Refused(if is_other_rule { StateError::OtherRule } else { StateError::OtherArithmetic });
        assert_eq!(anew.starts, [Start { origin, evenings: 0 }], "{before:?}, then {after:?}");
        // As if there had been nothing.
        assert_eq!(anew.evenings, fresh.live(after.0, after.1, 2).evenings);
        assert_eq!(anew.stored, [Ok(3), Ok(4)]);
        let next = house.live(after.0, after.1, 2).starts;
        assert_eq!(next, [Start { origin: Origin::Checkpoint(4), evenings: 2 }]);
    }
}

#[test]
fn what_could_not_be_read_is_not_overwritten() {
    let house = House::new();
    house.live(Rule::Tracking, Arith::F32, 2);
    let before = house.bus.borrow_mut().inner_mut().eeprom.clone();
    house.silence_eeprom(u32::MAX);
    let life = house.live(Rule::Tracking, Arith::F32, 3);
    assert_eq!(life.starts, [Start { origin: Origin::Unreadable(StoreError::Silent), evenings: 0 }]);
    assert_eq!((life.evenings.len(), life.stored), (3, vec![]));
    assert_eq!(house.bus.borrow_mut().inner_mut().eeprom.wear, before.wear);
    house.bus.borrow_mut().heal();
    let next = house.live(Rule::Tracking, Arith::F32, 2).starts;
    assert_eq!(next, [Start { origin: Origin::Checkpoint(2), evenings: 2 }]);
}

#[test]
fn what_could_not_be_read_is_restored_when_it_can_be() {
    let tries = Eeprom::<SharedBus<'_, FaultyBus<Wires>>, NoTime>::TRIES as u32;
    let unreadable = Start { origin: Origin::Unreadable(StoreError::Silent), evenings: 0 };
    let (house, whole) = (House::new(), House::new());
    house.live(Rule::Tracking, Arith::F32, 2);
    house.silence_eeprom(tries);
    let life = house.live(Rule::Tracking, Arith::F32, 4);
    assert_eq!(life.starts, [unreadable, Start { origin: Origin::Checkpoint(2), evenings: 2 }]);
    // One evening as if it were the first, then the third and the fourth.
    assert_eq!((life.evenings.len(), life.stored), (3, vec![Ok(3), Ok(4)]));
    let steps = |lived: &Life| lived.evenings.iter().map(|(_, evening)| evening.steps).collect::<Vec<_>>();
    let [first, _, third, fourth] = steps(&whole.live(Rule::Tracking, Arith::F32, 4))[..] else { panic!("4 evenings") };
    assert_eq!(steps(&house.live(Rule::Tracking, Arith::F32, 4)), [0; 0]);
    assert_eq!(life.evenings.iter().map(|(_, evening)| evening.steps).collect::<Vec<_>>(), [first, third, fourth]);

    // With nothing stored, it begins to store after the evening that it was silent in.
    let house = House::new();
    house.silence_eeprom(tries);
    let life = house.live(Rule::Tracking, Arith::F32, 3);
    assert_eq!(life.starts, [unreadable, Start { origin: Origin::NothingStored, evenings: 1 }]);
    assert_eq!((life.evenings.len(), life.stored), (3, vec![Ok(1), Ok(2)]));
}

#[test]
fn every_stage_is_reported_when_it_is_over() {
    let life = House::new().live(Rule::Tracking, Arith::F32, 3);
    let sample = |learned: bool| {
        let learned = learned.then_some(Event::Learned);
        let [before, after] = [[Stage::Wait, Stage::Sample].as_slice(), &[Stage::Learn]]
            .map(|stages| stages.iter().copied().map(Event::Reached).collect::<Vec<_>>());
        [vec![Event::Reached(Stage::Act)], before, learned.into_iter().collect(), after].concat()
    };
    let mut expected = Vec::new();
    for (_, evening) in &life.evenings {
        expected.extend(sample(false));
        for _ in 0..evening.steps {
            expected.push(Event::Reached(Stage::Store));
            expected.extend(sample(true));
        }
        expected.extend([Event::Stored, Event::Reached(Stage::Store)]);
    }
    assert_eq!(life.evenings.len(), 3);
    assert_eq!(life.events, expected);
}

/// Runs `flash_store` on a micro:bit with these contents of the last pages, or with those of QEMU, which are all zero.
fn run(pages: Option<&[u8]>) -> Vec<String> {
    let board = Board::named("microbit").unwrap();
    let elf = firmware::build(board, "flash_store", &[]).unwrap();
    let folder = TemporaryFolder::new().unwrap();
    let mut qemu = Emulation::new(board, elf);
    let store = board.program().start + board.program().bytes;
    if let Some(pages) = pages {
        let file = folder.file("pages").unwrap();
        fs::write(&file, pages).unwrap();
        qemu = qemu.options(["-device".into(), format!("loader,file={file},addr={store:#x},force-raw=on")]);
    }
    let log = qemu.run(|_| ()).unwrap().success().unwrap();
    log.into_iter().map(|line| line.message).collect()
}

#[test]
fn a_device_stores_in_flash_that_was_never_erased() {
    assert_eq!(run(None), ["40 checkpoints stored, the first with number 1", "done"]);
}

#[test]
fn a_device_goes_on_where_this_machine_has_stored() {
    let mut part = TornFlash::<300>::new(4, 1);
    for store in 1..=29 {
        assert_eq!(part.boot().unwrap().store(&[store as u8; 300]), Ok(store));
    }
    assert_eq!(run(Some(part.cells())), ["40 checkpoints stored, the first with number 30", "done"]);
}
