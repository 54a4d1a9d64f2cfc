//! Promise: a faulty sensor is not believed. Its fault is noticed, named and counted, nothing else is disturbed, and
//! the readings after it are right. A healthy sensor is always believed. (What is believed of readings of any bits, the
//! target `sensors` of `fuzz` compares with the history of a channel.)

use std::cell::RefCell;
use std::rc::Rc;

use anyhow::{Context, Result, bail, ensure};
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::fault::Fault;
use osculate_apps::line::Request;
use osculate_apps::room::Reading;
use osculate_apps::room::agent::Settings;
use osculate_apps::room::sensor::{ADDRESSES, ATTEMPTS, LIMITS, Thermometers};
use osculate_apps::room::thermostat::Thermostat;
use osculate_host_tests::documents::says;
use osculate_host_tests::worlds::faulty_bus::{FaultyBus, Injection, Kind};
use osculate_lab::repository::runs_all;
use osculate_lab::room::controller::Controller;
use osculate_lab::room::host::learn;
use osculate_lab::room::plant::{Houses, Scene};
use osculate_lab::room::test_bed::{Bus, Moment, NoTime, TestBed};

/// Samples of a trial after the last in which a fault may begin.
const AFTER: u32 = 10;
/// Transactions at the start, one for each thermometer.
const BOOT: u32 = ADDRESSES.len() as u32;

/// Every kind of fault that shows at once, from every transaction of the start and of the first `samples` samples on,
/// for several durations, on each thermometer and on all of them. Returns how many there were.
fn faults(samples: u32) -> Result<u32> {
    let devices: Vec<_> = [None].into_iter().chain(ADDRESSES.map(Some)).collect();
    let mut tries = 0;
    for (from_transaction, kind) in (0..BOOT * (1 + samples)).flat_map(|from| Kind::ALL.map(|kind| (from, kind))) {
        // A first reading is not a jump, and equal readings are many before they are too many.
        let is_too_early = kind == Kind::Jumping && from_transaction < 2 * BOOT;
        if is_too_early || kind == Kind::Frozen {
            continue;
        }
        for address in &devices {
            // Outside it may well be 0 °C, and nobody can tell.
            if kind == Kind::AllZeros && address.is_none_or(|address| address == ADDRESSES[2]) {
                continue;
            }
            for transactions in [1, 2, 3, 4, 5, 9, 17] {
                let injection = Injection { kind, from_transaction, transactions };
                let has_met = trial(injection, *address, samples + AFTER);
                tries += u32::from(has_met.with_context(|| format!("{injection:?} on {address:?}"))?);
            }
        }
    }
    Ok(tries)
}

/// What a thermometer with this fault is to say.
fn name(kind: Kind) -> Fault {
    match kind {
        Kind::AddressNack => Fault::Absent,
        Kind::DataNack | Kind::BusError | Kind::ArbitrationLoss | Kind::Timeout => Fault::Bus,
        Kind::AllOnes => Fault::AllOnes,
        Kind::OutOfRange | Kind::AllZeros => Fault::OutOfRange,
        Kind::Jumping => Fault::Jumping,
        Kind::Frozen => Fault::Frozen,
    }
}

/// One fault: it is noticed in its sample, named and counted, sampling is bounded, and once it is over, the second sample is
/// right. Returns whether it has met a transaction of this device.
fn trial(injection: Injection, address: Option<u8>, samples: u32) -> Result<bool> {
    let (test_bed, bus) = first_evening(injection.from_transaction.into());
    bus.borrow_mut().inject(injection, address);
    let mut thermometers = Thermometers::new(&bus);
    thermometers.start(&mut NoTime);

    // On the bus a fault costs every attempt, or none is noticed; data that are wrong are wrong at once.
    let enough = if injection.kind.error().is_some() || injection.kind == Kind::AllOnes {
        if address.is_some() { ATTEMPTS } else { (ATTEMPTS - 1) * BOOT + 1 }
    } else {
        1
    };
    let (mut injected_before, mut failed) = (bus.borrow().injected(), 0);
    for sample in 0..samples {
        let (transactions, injected) = (bus.borrow().transactions(), bus.borrow().injected());
        let answer = thermometers.read();
        let transactions = bus.borrow().transactions() - transactions;
        let injected = bus.borrow().injected() - injected;
        match answer {
            Ok(reading) if reading != shown(&test_bed.borrow()) => bail!("a wrong reading in sample {sample}"),
            Ok(_) if injected >= enough => bail!("no fault in sample {sample}"),
            Err(Fault::Starting) if injected_before > 0 => {}
            Err(fault) if injected > 0 && fault == name(injection.kind) => {}
            Err(fault) => bail!("{fault:?} in sample {sample}, {injected} transactions after it began"),
            Ok(_) => {}
        }
        failed += u32::from(answer.is_err());
        ensure!(transactions <= ATTEMPTS * BOOT, "{transactions} transactions in sample {sample}");
        injected_before = injected;
        _ = test_bed.borrow_mut().apply(Request::Heat(1));
    }
    let counts = thermometers.faults();
    let named = u32::from(counts.of(name(injection.kind))) + u32::from(counts.of(Fault::Starting));
    ensure!(counts.total() >= failed && counts.total() == named, "{counts:?} for {failed} faults");
    Ok(bus.borrow().injected() > 0)
}

/// The first evening of a house, and its bus.
fn first_evening(seed: u64) -> (Rc<RefCell<TestBed>>, RefCell<FaultyBus<Bus>>) {
    let test_bed = Rc::new(RefCell::new(TestBed::new(Scene::new(seed))));
    _ = test_bed.borrow_mut().apply(Request::Begin(1));
    (test_bed.clone(), RefCell::new(FaultyBus::new(Bus(test_bed))))
}

/// The readings as they should be.
fn shown(test_bed: &TestBed) -> Reading {
    let [room, floor, outside] = test_bed.shown().map(|bits| f32::from(bits.cast_signed()) / 256.0);
    Reading { room, floor, outside }
}

/// A scene in which everything happens: a window is open on one evening, a carpet lies there on the last third.
fn eventful(seed: u64, houses: Houses, restarts: bool, evenings: u32) -> Scene {
    let window_open = Some(1 + (seed % u64::from(evenings.max(1))) as u32);
    Scene { houses, restarts, window_open, carpet: Some(evenings - evenings / 3), ..Scene::new(seed) }
}

#[test]
fn every_fault_at_every_transaction_is_noticed_named_counted_and_over() {
    let tries = faults(if runs_all() { 40 } else { 6 }).unwrap();
    println!("{tries} faults of sensors");
    assert!(tries >= 3000, "only {tries} faults");
}

/// Houses of both kinds, with open windows, carpets, and evenings that begin anew: nothing is wrong with their
/// thermometers.
#[test]
fn no_reading_of_a_healthy_sensor_is_refused() {
    let (houses, evenings) = if runs_all() { (80, 90) } else { (2, 60) };
    let mut readings = 0;
    for seed in 1..=houses {
        for (kind, restarts) in Houses::ALL.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
            let settings = Settings { seed, evenings, rule: Rule::Tracking };
            let test_bed = TestBed::new(eventful(seed, kind, restarts, evenings));
            for evening in learn(test_bed, Arith::F32, &settings).unwrap() {
                assert_eq!(evening.silences, 0, "house {seed}, {kind:?}");
                readings += evening.trail.len();
            }
        }
    }
    println!("{readings} readings of healthy sensors");
    assert!(readings >= 30_000, "only {readings} readings");
}

/// Room and floor that nobody heats count, too.
#[test]
fn the_limits_are_far_from_what_houses_do() {
    let (mut jump, mut run, mut low, mut high) = ([0.0_f64; 3], [0; 3], [99.0_f64; 3], [-99.0_f64; 3]);
    for seed in 1..=10 {
        for (kind, restarts) in Houses::ALL.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
            let scene = eventful(seed, kind, restarts, 90);
            for controller in [Controller::Agent(Rule::Tracking, Arith::F32), Controller::OneStepAhead] {
                let evenings = controller.trails(&scene, 90).unwrap();
                for channel in 0..3 {
                    let (mut last, mut equal) = (f64::NAN, 0);
                    for trail in &evenings {
                        for (step, Moment { room, floor, outside, .. }) in trail.iter().enumerate() {
                            let now = ([room, floor, outside][channel] * 16.0).floor() / 16.0;
                            if step > 0 {
                                jump[channel] = jump[channel].max((now - last).abs());
                            }
                            equal = if now == last { equal + 1 } else { 1 };
                            run[channel] = run[channel].max(equal);
                            (low[channel], high[channel]) = (low[channel].min(now), high[channel].max(now));
                            last = now;
                        }
                    }
                }
            }
        }
    }
    println!("room, floor, outside: at most {jump:?} °C a step, {run:?} equal readings, {low:?} to {high:?} °C");
    for (channel, limits) in LIMITS.iter().enumerate() {
        assert!(f64::from(limits.jump) >= 3.0 * jump[channel] && u32::from(limits.frozen) >= 3 * run[channel]);
        assert!(f64::from(limits.low) < low[channel] && high[channel] < f64::from(limits.high));
        let row = format!(
            "| {} | {} to {} | {:.2}, {} | {}, {} |",
            ["room", "floor", "outside"][channel],
            limits.low,
            limits.high,
            jump[channel],
            limits.jump,
            run[channel],
            limits.frozen
        );
        says("docs/reliability.md", &row.replace("| -", "| −"));
    }
    // The houses have done something.
    assert!(jump[0] > 1.5 && run.iter().all(|run| *run > 10), "{jump:?} {run:?}");
}

#[test]
fn a_frozen_thermometer_is_noticed_at_its_limit_and_believed_when_it_thaws() {
    for (channel, address) in ADDRESSES.into_iter().enumerate() {
        let (test_bed, bus) = first_evening(5);
        let mut thermometers = Thermometers::new(&bus);
        thermometers.start(&mut NoTime);
        let mut thermostat = Thermostat::new();
        let mut sample = || {
            let truth = shown(&test_bed.borrow());
            let answer = thermometers.read();
            let heat = Request::Heat(thermostat.level(&truth) as u8);
            test_bed.borrow_mut().apply(heat).unwrap();
            (answer, truth, *thermometers.faults())
        };
        for _ in 0..20 {
            let (answer, truth, _) = sample();
            assert_eq!(answer, Ok(truth));
        }
        let frozen = Injection { kind: Kind::Frozen, from_transaction: 0, transactions: u32::MAX };
        bus.borrow_mut().inject(frozen, Some(address));
        // The readings before may have been the same.
        let limit = LIMITS[channel].frozen;
        let noticed = (1..=limit).find(|_| sample().0.is_err()).expect("it is noticed");
        assert!(limit - noticed < 20, "after {noticed} samples of {limit}");
        for count in 2..50 {
            let (answer, _, counts) = sample();
            assert_eq!((answer, counts.of(Fault::Frozen), counts.total()), (Err(Fault::Frozen), count, count.into()));
        }
        bus.borrow_mut().heal();
        // In the meantime it may have become much warmer or colder: that is a step.
        let (first, truth, _) = sample();
        assert!(first == Ok(truth) || first == Err(Fault::Jumping), "{first:?}");
        let (second, truth, _) = sample();
        assert_eq!(second, Ok(truth));
    }
}

#[test]
fn one_fault_does_not_hide_another_and_the_first_is_returned() {
    let (test_bed, bus) = first_evening(1);
    let mut thermometers = Thermometers::new(&bus);
    assert_eq!(thermometers.read(), Err(Fault::Starting), "nobody has configured them");
    assert_eq!((thermometers.faults().of(Fault::Starting), thermometers.faults().total()), (3, 3));
    assert_eq!(thermometers.read(), Ok(shown(&test_bed.borrow())));
    let (kind, from_transaction) = (Kind::AddressNack, bus.borrow().transactions());
    bus.borrow_mut().inject(Injection { kind, from_transaction, transactions: u32::MAX }, None);
    assert_eq!(thermometers.read(), Err(Fault::Absent));
    assert_eq!(thermometers.faults().of(Fault::Absent), 3);
    bus.borrow_mut().inject(Injection { kind, from_transaction, transactions: u32::MAX }, Some(ADDRESSES[1]));
    assert_eq!(thermometers.read(), Err(Fault::Starting), "the room's comes first");
    assert_eq!((thermometers.faults().of(Fault::Absent), thermometers.faults().of(Fault::Starting)), (4, 5));
}

/// Each thermometer is back at 9 bits.
#[test]
fn a_thermometer_that_has_lost_power_gets_its_resolution_back() {
    let (test_bed, bus) = first_evening(3);
    let fresh = test_bed.borrow().clone();
    let mut thermometers = Thermometers::new(&bus);
    thermometers.start(&mut NoTime);
    let whole = thermometers.read().unwrap();
    assert!([whole.room, whole.floor, whole.outside].iter().any(|reading| reading.fract() % 0.5 != 0.0), "{whole:?}");
    let (kind, from_transaction) = (Kind::Timeout, bus.borrow().transactions());
    bus.borrow_mut().inject(Injection { kind, from_transaction, transactions: 9 }, None);
    // Switched off and on: the same house, with thermometers that nobody has configured.
    *test_bed.borrow_mut() = fresh;
    assert_eq!([thermometers.read(), thermometers.read()], [Err(Fault::Bus), Err(Fault::Starting)]);
    assert_eq!(thermometers.read(), Ok(whole));
}
