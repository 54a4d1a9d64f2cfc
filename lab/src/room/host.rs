//! The device's agent, and the others, against the plant on this machine.

use std::cell::RefCell;
use std::rc::Rc;

use anyhow::{Context, Result};
use osculate_apps::line::Request;

use super::baseline::ControlLaw;
use super::shared::actuator::Heater;
use super::shared::agent::{Lengths, Room, Settings, TAIL};
use super::shared::sensor::Thermometers;
use super::shared::telemetry::{Evening, Step, Telemetry};
use super::test_bed::{Bus, Line, Moment, NoTime, TestBed};
use osculate_apps::choice::Arith;
use osculate_apps::with_arithmetic;

/// What an agent told about itself.
#[derive(Clone, Debug, Default)]
pub struct AgentLog {
    /// Each evening's steps.
    pub steps: Vec<Vec<Step>>,
    /// Each evening.
    pub evenings: Vec<Evening>,
    current: Vec<Step>,
}

impl Telemetry for &mut AgentLog {
    fn step(&mut self, step: &Step) {
        self.current.push(*step);
    }

    fn evening(&mut self, evening: &Evening) {
        self.steps.push(std::mem::take(&mut self.current));
        self.evenings.push(*evening);
    }
}

/// Evenings of an agent, as the host knows them and as the agent told.
#[derive(Clone, Debug)]
pub struct Learned {
    /// What really happened.
    pub trails: Vec<Vec<Moment>>,
    /// What the agent made of it.
    pub log: AgentLog,
}

/// Learns with the device's own source.
///
/// # Errors
/// Where the agent gives up.
pub fn learn(test_bed: TestBed, arith: Arith, settings: &Settings) -> Result<Learned> {
    let test_bed = Rc::new(RefCell::new(test_bed));
    let trails = Rc::new(RefCell::new(Vec::new()));
    let bus = RefCell::new(Bus(test_bed.clone()));
    let mut log = AgentLog::default();
    let thermometers = Thermometers::start(&bus, &mut NoTime).ok().context("a thermometer does not answer")?;
    let heater = Heater(Line::new(test_bed.clone(), trails.clone()));
    let mut room = Room { thermometers, heater, telemetry: &mut log };
    with_arithmetic!(arith, A => room.learn::<A>(settings))?;
    drop(room);
    let mut trails = trails.take();
    trails.push(test_bed.borrow().trail().to_vec());
    Ok(Learned { trails, log })
}

/// Runs another controller for the same evenings.
///
/// # Errors
/// Where a thermometer does not answer.
pub fn control(test_bed: TestBed, controller: &mut dyn ControlLaw, settings: &Settings) -> Result<Vec<Vec<Moment>>> {
    let test_bed = Rc::new(RefCell::new(test_bed));
    let bus = RefCell::new(Bus(test_bed.clone()));
    let silent = "a thermometer does not answer";
    let mut thermometers = Thermometers::start(&bus, &mut NoTime).ok().context(silent)?;
    let mut lengths = Lengths::new(settings.seed);
    let mut trails = Vec::new();
    for _ in 0..settings.evenings {
        test_bed.borrow_mut().apply(Request::Begin)?;
        controller.begin();
        for _ in 0..lengths.next_rows() + TAIL {
            let reading = thermometers.read().ok().context(silent)?;
            let level = controller.level(&reading);
            test_bed.borrow_mut().apply(Request::Heat(level as u8))?;
        }
        trails.push(test_bed.borrow().trail().to_vec());
    }
    Ok(trails)
}
