//! Promise: after a power cut the room goes on from its checkpoint as if nothing had happened, or it starts anew and
//! says why. It stores once an evening, and reports a stage of its loop when that is over.

use std::fs;

use checkpoint_ring::StoreError;
use checkpoint_ring::models::{Part, TornEeprom, TornFlash};
use checkpoint_ring::{EEPROM_ADDRESS, Eeprom};
use osculate::StateError;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::room::agent::Settings;
use osculate_apps::room::sensor::ADDRESSES;
use osculate_apps::room::telemetry::Start;
use osculate_apps::shared_bus::SharedBus;
use osculate_apps::store::Origin;
use osculate_apps::supervision::Stage;
use osculate_host_tests::worlds::faulty_bus::{FaultyBus, Injection, Kind};
use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;
use osculate_lab::firmware;
use osculate_lab::room::plant::Scene;
use osculate_lab::room::test_bed::{NoTime, TestBed};
use osculate_lab::temporary::TemporaryFolder;
use osculate_programs::keep::{BYTES, Found, contents};
use osculate_programs::report::Report;

use crate::home::{Event, Home, Life, Wires};

const SEED: u64 = 7;

fn home() -> Home {
    Home::new(SEED, TornEeprom::new(SEED))
}

/// Boots, and lives to the end of this evening.
fn live(home: &Home, rule: Rule, arith: Arith, evenings: u32) -> Life {
    home.live(arith, &Settings { seed: SEED, evenings, rule }, |_| ())
}

/// The EEPROM does not answer this many times after the next boot has configured the thermometers.
fn silence_eeprom(home: &Home, transactions: u32) {
    let mut bus = home.bus.borrow_mut();
    let from_transaction = bus.transactions() + ADDRESSES.len() as u32;
    bus.inject(Injection { kind: Kind::AddressNack, from_transaction, transactions }, Some(EEPROM_ADDRESS));
}

#[test]
fn two_lives_are_the_same_as_one() {
    for (_, rule) in Rule::NAMES {
        for arith in [Arith::F32, Arith::Q28] {
            let (whole, parted) = (home(), home());
            let one = live(&whole, rule, arith, 6);
            let (first, second) = (live(&parted, rule, arith, 4), live(&parted, rule, arith, 6));
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
    let (rule, arithmetic) = (StateError::OtherRule, StateError::OtherArithmetic);
    let changes = [
        (tracking, paper, rule),
        (paper, tracking, rule),
        (tracking, fixed, arithmetic),
        (fixed, tracking, arithmetic),
    ];
    for (before, after, reason) in changes {
        let (house, fresh) = (home(), home());
        live(&house, before.0, before.1, 2);
        *house.test_bed.borrow_mut() = TestBed::new(Scene::new(SEED));
        let anew = live(&house, after.0, after.1, 2);
        let origin = Origin::Refused(reason);
        assert_eq!(anew.starts, [Start { origin, evenings: 0 }], "{before:?}, then {after:?}");
        // As if there had been nothing.
        assert_eq!(anew.evenings, live(&fresh, after.0, after.1, 2).evenings);
        assert_eq!(anew.stored, [Ok(3), Ok(4)]);
        let next = live(&house, after.0, after.1, 2).starts;
        assert_eq!(next, [Start { origin: Origin::Checkpoint(4), evenings: 2 }]);
    }
}

#[test]
fn what_could_not_be_read_is_not_overwritten() {
    let house = home();
    live(&house, Rule::Tracking, Arith::F32, 2);
    let before = house.bus.borrow_mut().inner_mut().eeprom.clone();
    silence_eeprom(&house, u32::MAX);
    let life = live(&house, Rule::Tracking, Arith::F32, 3);
    assert_eq!(life.starts, [Start { origin: Origin::Unreadable(StoreError::Silent), evenings: 0 }]);
    assert_eq!((life.evenings.len(), life.stored), (3, vec![]));
    assert_eq!(house.bus.borrow_mut().inner_mut().eeprom.wear, before.wear);
    house.bus.borrow_mut().heal();
    let next = live(&house, Rule::Tracking, Arith::F32, 2).starts;
    assert_eq!(next, [Start { origin: Origin::Checkpoint(2), evenings: 2 }]);
}

#[test]
fn what_could_not_be_read_is_restored_when_it_can_be() {
    let tries = Eeprom::<SharedBus<'_, FaultyBus<Wires>>, NoTime>::TRIES as u32;
    let unreadable = Start { origin: Origin::Unreadable(StoreError::Silent), evenings: 0 };
    let (house, whole) = (home(), home());
    live(&house, Rule::Tracking, Arith::F32, 2);
    silence_eeprom(&house, tries);
    let life = live(&house, Rule::Tracking, Arith::F32, 4);
    assert_eq!(life.starts, [unreadable, Start { origin: Origin::Checkpoint(2), evenings: 2 }]);
    // One evening as if it were the first, then the third and the fourth.
    assert_eq!((life.evenings.len(), life.stored), (3, vec![Ok(3), Ok(4)]));
    let steps = |lived: &Life| lived.evenings.iter().map(|(_, evening)| evening.steps).collect::<Vec<_>>();
    let [first, _, third, fourth] = steps(&live(&whole, Rule::Tracking, Arith::F32, 4))[..] else {
        panic!("4 evenings")
    };
    assert_eq!(steps(&live(&house, Rule::Tracking, Arith::F32, 4)), [0; 0]);
    assert_eq!(life.evenings.iter().map(|(_, evening)| evening.steps).collect::<Vec<_>>(), [first, third, fourth]);

    // With nothing stored, it begins to store after the evening that it was silent in.
    let house = home();
    silence_eeprom(&house, tries);
    let life = live(&house, Rule::Tracking, Arith::F32, 3);
    assert_eq!(life.starts, [unreadable, Start { origin: Origin::NothingStored, evenings: 1 }]);
    assert_eq!((life.evenings.len(), life.stored), (3, vec![Ok(1), Ok(2)]));
}

#[test]
fn every_stage_is_reported_when_it_is_over() {
    let (settings, mut events) = (Settings { seed: SEED, evenings: 3, rule: Rule::Tracking }, Vec::new());
    let life = home().live(Arith::F32, &settings, |event| events.push(event));
    events.retain(|event| !matches!(event, Event::Transaction { .. }));
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
    assert_eq!(events, expected);
}

/// Lets `keep` store 40 checkpoints in the flash of a micro:bit, more than it has slots, with these contents of the last
/// pages, or with those of QEMU, which are all zero. It finds this number before, and its own last one after.
fn keeps(before: u32, pages: Option<&[u8]>) {
    let board = Board::named("microbit").unwrap();
    let elf = firmware::build(board, "keep", &[]).unwrap();
    let folder = TemporaryFolder::new().unwrap();
    let mut qemu = Emulation::new(board, elf).argument("40");
    let store = board.program().start + board.program().bytes;
    if let Some(pages) = pages {
        let file = folder.file("pages").unwrap();
        fs::write(&file, pages).unwrap();
        qemu = qemu.options(["-device".into(), format!("loader,file={file},addr={store:#x},force-raw=on")]);
    }
    let log = qemu.run(|_| ()).unwrap().success().unwrap();
    let reports: Vec<_> = log.iter().filter_map(|line| line.reported().unwrap()).collect();
    let found = |sequence| Report::Found(Found { sequence, is_intact: true, damaged: 0 });
    let stored = (1..=40).map(|i| Report::Stored(Ok(before + i)));
    let expected: Vec<_> = [found(before)].into_iter().chain(stored).chain([found(before + 40)]).collect();
    assert_eq!(reports, expected);
}

#[test]
fn a_device_stores_in_flash_that_was_never_erased() {
    keeps(0, None);
}

#[test]
fn a_device_goes_on_where_this_machine_has_stored() {
    let mut part = TornFlash::<BYTES>::new(4, 1);
    for number in 1..=29 {
        assert_eq!(part.boot().unwrap().store(contents(number, &mut [0; BYTES])), Ok(number));
    }
    keeps(29, Some(part.cells()));
}
