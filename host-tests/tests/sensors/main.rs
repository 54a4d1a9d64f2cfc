//! Promise: a faulty sensor is not believed. Its fault is noticed, named and counted, nothing else is disturbed, and
//! the readings after it are right. A healthy sensor is always believed.

mod trials;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use osculate_apps::choice::{Arith, Rule};
use osculate_apps::fault::{Fault, FaultCounts};
use osculate_apps::line::Request;
use osculate_apps::plausible::{Limits, Plausible};
use osculate_apps::room::agent::Settings;
use osculate_apps::room::sensor::{ADDRESSES, LIMITS, Thermometers};
use osculate_apps::room::thermostat::Thermostat;
use osculate_host_tests::worlds::faulty_bus::{FaultyBus, Injection, Kind};
use osculate_lab::documents::says;
use osculate_lab::repository::runs_all;
use osculate_lab::room::baseline::OneStepAhead;
use osculate_lab::room::host::{control, learn};
use osculate_lab::room::plant::{Houses, Scene};
use osculate_lab::room::test_bed::{Bus, Moment, NoTime, TestBed};
use osculate_lab::tally::Tally;

use trials::{eventful, faults, healthy, shown};

const WATER: Limits = Limits { low: 0.0, high: 100.0, jump: 5.0, frozen: 4 };

fn kept(tallies: Vec<Tally>, tries: u64) {
    for tally in tallies {
        println!("{}: {} tries, {} failures", tally.promise, tally.tries, tally.failures);
        assert_eq!(tally.failures, 0, "{:?}", tally.first);
        assert!(tally.tries >= tries, "{}", tally.tries);
    }
}

#[test]
fn every_fault_at_every_transaction_is_noticed_named_counted_and_over() {
    kept(faults(if runs_all() { 40 } else { 6 }), 3000);
}

#[test]
fn no_reading_of_a_healthy_sensor_is_refused() {
    let (houses, evenings) = if runs_all() { (80, 90) } else { (2, 60) };
    kept(healthy(houses, evenings).unwrap(), 30_000);
}

/// Room and floor that nobody heats count, too.
#[test]
fn the_limits_are_far_from_what_houses_do() {
    let (mut jump, mut run, mut low, mut high) = ([0.0_f64; 3], [0; 3], [99.0_f64; 3], [-99.0_f64; 3]);
    for seed in 1..=10 {
        for (kind, restarts) in Houses::ALL.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
            let settings = Settings { seed, evenings: 90, rule: Rule::Tracking };
            let test_bed = TestBed::new(eventful(seed, kind, restarts, 90));
            let agent = learn(test_bed.clone(), Arith::F32, &settings).unwrap();
            let unheated = control(test_bed, &mut OneStepAhead::new(), &settings).unwrap();
            let agent = agent.into_iter().map(|evening| evening.trail).collect::<Vec<_>>();
            for evenings in [agent, unheated] {
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
        says("docs/reliability.md", &row.replace("| -", "| −")).unwrap();
    }
    // The houses have done something.
    assert!(jump[0] > 1.5 && run.iter().all(|run| *run > 10), "{jump:?} {run:?}");
}

#[test]
fn a_frozen_thermometer_is_noticed_at_its_limit_and_believed_when_it_thaws() {
    for (channel, address) in ADDRESSES.into_iter().enumerate() {
        let test_bed = Rc::new(RefCell::new(TestBed::new(Scene::new(5))));
        test_bed.borrow_mut().apply(Request::Begin(1)).unwrap();
        let bus = RefCell::new(FaultyBus::new(Bus(test_bed.clone())));
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
    let test_bed = Rc::new(RefCell::new(TestBed::new(Scene::new(1))));
    test_bed.borrow_mut().apply(Request::Begin(1)).unwrap();
    let bus = RefCell::new(FaultyBus::new(Bus(test_bed.clone())));
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

#[test]
fn a_fault_at_the_start_is_counted_and_the_next_reading_names_it() {
    let bus = RefCell::new(FaultyBus::new(Bus(Rc::new(RefCell::new(TestBed::new(Scene::new(1)))))));
    bus.borrow_mut().inject(Injection { kind: Kind::Timeout, from_transaction: 0, transactions: u32::MAX }, None);
    let mut thermometers = Thermometers::new(&bus);
    thermometers.start(&mut NoTime);
    assert_eq!((thermometers.faults().of(Fault::Bus), bus.borrow().transactions()), (3, 9));
    assert_eq!(thermometers.read(), Err(Fault::Bus));
}

/// Each thermometer is back at 9 bits.
#[test]
fn a_thermometer_that_has_lost_power_gets_its_resolution_back() {
    let fresh = || {
        let mut test_bed = TestBed::new(Scene::new(3));
        test_bed.apply(Request::Begin(1)).unwrap();
        test_bed
    };
    let test_bed = Rc::new(RefCell::new(fresh()));
    let bus = RefCell::new(FaultyBus::new(Bus(test_bed.clone())));
    let mut thermometers = Thermometers::new(&bus);
    thermometers.start(&mut NoTime);
    let whole = thermometers.read().unwrap();
    assert!([whole.room, whole.floor, whole.outside].iter().any(|reading| reading.fract() % 0.5 != 0.0), "{whole:?}");
    let (kind, from_transaction) = (Kind::Timeout, bus.borrow().transactions());
    bus.borrow_mut().inject(Injection { kind, from_transaction, transactions: 9 }, None);
    // Switched off and on: the same house, with thermometers that nobody has configured.
    *test_bed.borrow_mut() = fresh();
    assert_eq!([thermometers.read(), thermometers.read()], [Err(Fault::Bus), Err(Fault::Starting)]);
    assert_eq!(thermometers.read(), Ok(whole));
}

#[test]
fn what_is_no_number_passes_no_gate() {
    for reading in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.1, 100.1, f32::MAX] {
        let mut water = Plausible::new(WATER);
        assert_eq!([water.check(reading), water.check(20.0)], [Err(Fault::OutOfRange), Ok(20.0)]);
        assert_eq!([water.check(reading), water.check(21.0)], [Err(Fault::OutOfRange), Ok(21.0)]);
    }
    let nonsense = Limits { low: f32::NAN, high: f32::NAN, jump: f32::NAN, frozen: 0 };
    assert_eq!(Plausible::new(nonsense).check(1.0), Err(Fault::OutOfRange));
}

#[test]
fn a_step_costs_one_sample_and_a_jumping_sensor_is_never_believed() {
    let mut water = Plausible::new(WATER);
    let answers = [20.0, 25.0, 31.0, 29.0, 80.0, 79.0, 80.0].map(|reading| water.check(reading));
    let jumping = Err(Fault::Jumping);
    assert_eq!(answers, [Ok(20.0), Ok(25.0), jumping, Ok(29.0), jumping, Ok(79.0), Ok(80.0)]);
    // Between two values, between three, and with something impossible in between.
    for readings in [vec![40.0, 10.0], vec![40.0, 20.0, 60.0], vec![40.0, f32::NAN]] {
        let mut water = Plausible::new(WATER);
        assert!(water.check(80.0).is_ok());
        for reading in readings.iter().cycle().take(100) {
            assert!(water.check(*reading).is_err(), "{readings:?}");
        }
    }
    // Time has passed: nothing to compare with.
    water.begin();
    assert_eq!(water.check(10.0), Ok(10.0));
}

#[test]
fn equal_bits_are_counted_also_where_they_are_refused_or_time_has_passed() {
    let mut water = Plausible::new(WATER);
    assert_eq!([20.0; 5].map(|reading| water.check(reading))[2..], [Ok(20.0), Err(Fault::Frozen), Err(Fault::Frozen)]);
    water.begin();
    assert_eq!(water.check(20.0), Err(Fault::Frozen));
    assert_eq!(water.check(20.1), Ok(20.1));
    // A step to a value that then stays is believed until it is frozen, too.
    let answers = [50.0; 5].map(|reading| water.check(reading).err());
    assert_eq!(answers, [Some(Fault::Jumping), None, None, Some(Fault::Frozen), Some(Fault::Frozen)]);
    let mut never = Plausible::new(Limits { frozen: 0, ..WATER });
    assert!((0..100_000).all(|_| never.check(0.0) == Ok(0.0)));
    let mut late = Plausible::new(Limits { frozen: u16::MAX, ..WATER });
    let believed = (0..100_000).take_while(|_| late.check(0.0).is_ok()).count();
    assert_eq!(believed, usize::from(u16::MAX) - 1);
    // A copy goes on from where it was.
    let mut copy = late;
    assert_eq!(copy.check(0.0), Err(Fault::Frozen));
}

#[test]
fn faults_have_names_and_counts_of_their_own() {
    assert_eq!(Fault::ALL.map(|fault| fault.to_string()).into_iter().collect::<BTreeSet<_>>().len(), Fault::ALL.len());
    let mut counts = FaultCounts::new();
    for (times, fault) in Fault::ALL.into_iter().enumerate() {
        (0..times).for_each(|_| counts.add(fault));
    }
    assert_eq!(Fault::ALL.map(|fault| counts.of(fault)), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(counts.total(), 21);
    (0..100_000).for_each(|_| counts.add(Fault::Bus));
    assert_eq!((counts.of(Fault::Bus), counts.total()), (u16::MAX, 20 + u32::from(u16::MAX)));
}
