//! Promise: a faulty sensor is not believed. Its fault is noticed, named and counted, nothing else is disturbed, and
//! the readings after it are right. A healthy sensor is always believed. (What is believed of readings of any bits, the
//! target `sensors` of `fuzz` compares with the history of a channel.)

mod trials;

use osculate_apps::choice::{Arith, Rule};
use osculate_apps::fault::Fault;
use osculate_apps::line::Request;
use osculate_apps::room::agent::Settings;
use osculate_apps::room::sensor::{ADDRESSES, LIMITS, Thermometers};
use osculate_apps::room::thermostat::Thermostat;
use osculate_host_tests::worlds::faulty_bus::{Injection, Kind};
use osculate_lab::documents::says;
use osculate_lab::repository::runs_all;
use osculate_lab::room::controller::Controller;
use osculate_lab::room::host::learn;
use osculate_lab::room::plant::Houses;
use osculate_lab::room::test_bed::{Moment, NoTime, TestBed};

use trials::{eventful, faults, first_evening, shown};

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
        says("docs/reliability.md", &row.replace("| -", "| −")).unwrap();
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
