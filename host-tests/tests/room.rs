//! The room that learns, on the host: it heats better than a thermostat, and it does so by learning from the
//! thermometers.

use std::cell::RefCell;
use std::rc::Rc;

use embedded_hal::i2c::{ErrorKind, ErrorType, I2c, Operation};
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::failure::Failure;
use osculate_apps::message::Message;
use osculate_apps::room::agent::{Room, Settings};
use osculate_apps::room::sensor::{SILENT, Thermometers};
use osculate_apps::room::telemetry::Evening;
use osculate_lab::room::host::learn;
use osculate_lab::room::plant::Scene;
use osculate_lab::room::run_log::last_cost;
use osculate_lab::room::seeds::Controller;
use osculate_lab::room::test_bed::{Bus, Line, NoTime, TestBed};

const EVENINGS: u32 = 60;

/// `cargo xtask demo --seeds 10` prints the same numbers.
#[test]
fn the_agent_beats_the_thermostat_by_a_third_in_ten_houses() {
    let thermostat = Controller::Thermostat.spread(1..=10, EVENINGS).unwrap().median();
    for rule in [Rule::Paper, Rule::Predictable, Rule::Streaming] {
        for arith in [Arith::F32, Arith::Q28] {
            let controller = Controller::Agent(rule, arith);
            assert!(Controller::all().contains(&controller), "{}", controller.name());
            let median = controller.spread(1..=10, EVENINGS).unwrap().median();
            println!("{}: {median:.3} per step, the thermostat {thermostat:.3}", controller.name());
            assert!(median < 0.7 * thermostat, "{}: {median} against {thermostat}", controller.name());
        }
    }
}

/// In houses that were not used for the comparison.
#[test]
fn no_other_gains_make_the_pi_controller_better() {
    let cost = |controller: Controller| controller.spread(101..=120, EVENINGS).unwrap().median();
    let tuned =
        Controller::all().into_iter().find(|controller| matches!(controller, Controller::Pi(..))).map(cost).unwrap();
    for proportional in [0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0] {
        for integral in [0.0, 0.01, 0.02, 0.05, 0.1] {
            let other = cost(Controller::Pi(proportional, integral));
            assert!(tuned < 1.02 * other, "{tuned} with the tuned gains, {other} with {proportional} and {integral}");
        }
    }
}

/// Thermometers that fail: sometimes, always, or by being stuck at one value.
#[derive(Clone)]
struct Faulty {
    bus: Bus,
    fault: Fault,
    transactions: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    /// In one transaction out of this many, for the three tries of a reading and a little longer.
    Bursts(u32),
    /// From this transaction on.
    From(u32),
    Stuck,
}

impl ErrorType for Faulty {
    type Error = ErrorKind;
}

impl I2c for Faulty {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        self.transactions += 1;
        let silent = match self.fault {
            Fault::Bursts(period) => self.transactions % period > period - 6,
            Fault::From(first) => self.transactions >= first,
            Fault::Stuck => false,
        };
        if silent {
            return Err(ErrorKind::Bus);
        }
        self.bus.transaction(address, operations)?;
        if self.fault == Fault::Stuck {
            for operation in operations {
                if let Operation::Read(bytes) = operation {
                    bytes.fill(20);
                }
            }
        }
        Ok(())
    }
}

fn learn_with(fault: Fault, evenings: u32) -> (Result<(), Failure>, Vec<Evening>, f64) {
    let test_bed = Rc::new(RefCell::new(TestBed::new(Scene::new(1))));
    let trails = Rc::new(RefCell::new(Vec::new()));
    let bus = RefCell::new(Faulty { bus: Bus(test_bed.clone()), fault, transactions: 0 });
    let thermometers = Thermometers::start(&bus, &mut NoTime).expect("they answer at first");
    let mut told = Vec::new();
    let tell = |message: &Message| {
        if let Message::Evening(evening) = message {
            told.push(*evening);
        }
    };
    let mut room = Room { thermometers, line: Line::new(test_bed.clone(), trails.clone()), tell };
    let settings = Settings { seed: 1, evenings, rule: Rule::Paper };
    let result = room.learn::<f32>(&settings);
    let cost = last_cost(trails.borrow().iter().map(Vec::as_slice));
    (result, told, cost)
}

#[test]
fn nothing_is_learned_from_thermometers_that_are_stuck() {
    let (result, _, cost) = learn_with(Fault::Stuck, 30);
    result.unwrap();
    let thermostat = Controller::Thermostat.last_cost(1, 30).unwrap();
    assert!(cost > 1.5 * thermostat, "{cost} without having seen anything, the thermostat {thermostat}");
}

#[test]
fn a_thermometer_that_is_silent_now_and_then_is_counted_and_survived() {
    let (result, told, cost) = learn_with(Fault::Bursts(200), 30);
    result.unwrap();
    let silences: u32 = told.iter().map(|evening| evening.silences).sum();
    assert!(silences > 20, "{silences}");
    // A step without a reading makes no row.
    assert!(told.iter().any(|evening| evening.silences > 0 && evening.update.tau + 32 < evening.steps));
    let whole = learn(TestBed::new(Scene::new(1)), Arith::F32, &Settings { seed: 1, evenings: 30, rule: Rule::Paper });
    let whole = last_cost(whole.unwrap().trails.iter().map(Vec::as_slice));
    assert!(cost < 1.5 * whole, "{cost} with faults, {whole} without");
}

#[test]
fn silence_at_the_start_of_an_evening_ends_it_with_a_reason() {
    let (result, told, _) = learn_with(Fault::From(500), 30);
    assert_eq!(result, Err(SILENT));
    assert!(!told.is_empty() && told.len() < 30);

    let bus = RefCell::new(Faulty {
        bus: Bus(Rc::new(RefCell::new(TestBed::new(Scene::new(1))))),
        fault: Fault::From(1),
        transactions: 0,
    });
    assert_eq!(Thermometers::start(&bus, &mut NoTime).err(), Some(SILENT));
}
