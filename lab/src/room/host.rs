//! The device's agent, and the others, against the plant on this machine.

use std::cell::RefCell;
use std::rc::Rc;

use anyhow::{Context, Result};
use osculate::Q28;
use osculate_apps::line::Request;

use super::baseline::Controller;
use super::bench::{Bench, Bus, Line, Moment, NoTime};
use super::shared::actuator::Heater;
use super::shared::agent::{Lengths, Room, Settings, TAIL};
use super::shared::sensor::Thermometers;
use super::shared::telemetry::{Evening, Step, Telemetry};

/// The numbers that an agent learns in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arith {
    /// Floats.
    F32,
    /// Fixed point, 28 fraction bits, rows of 16 bits.
    Q28,
}

/// What an agent told about itself.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Each evening's steps.
    pub steps: Vec<Vec<Step>>,
    /// Each evening.
    pub evenings: Vec<Evening>,
    current: Vec<Step>,
}

impl Arith {
    /// The arithmetics by their names.
    pub const NAMES: [(&str, Self); 2] = [("f32", Self::F32), ("q28", Self::Q28)];

    /// The arithmetic's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Q28 => "q28",
        }
    }
}

impl Telemetry for &mut Told {
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
    pub told: Told,
}

/// Learns with the device's own source.
///
/// # Errors
/// Where the agent gives up.
pub fn learn(bench: Bench, arith: Arith, settings: &Settings) -> Result<Learned> {
    let bench = Rc::new(RefCell::new(bench));
    let trails = Rc::new(RefCell::new(Vec::new()));
    let bus = RefCell::new(Bus(bench.clone()));
    let mut told = Told::default();
    let thermometers = Thermometers::start(&bus, &mut NoTime).ok().context("a thermometer does not answer")?;
    let mut room = Room::new(thermometers, Heater(Line::new(bench.clone(), trails.clone())), &mut told);
    match arith {
        Arith::F32 => room.learn::<f32>(settings, f32::to_bits)?,
        Arith::Q28 => room.learn::<Q28>(settings, |weight| weight.to_bits().cast_unsigned())?,
    }
    drop(room);
    let mut trails = trails.take();
    trails.push(bench.borrow().trail().to_vec());
    Ok(Learned { trails, told })
}

/// Runs another controller for the same evenings.
///
/// # Errors
/// Where a thermometer does not answer.
pub fn control(bench: Bench, controller: &mut dyn Controller, settings: &Settings) -> Result<Vec<Vec<Moment>>> {
    let bench = Rc::new(RefCell::new(bench));
    let bus = RefCell::new(Bus(bench.clone()));
    let silent = "a thermometer does not answer";
    let mut thermometers = Thermometers::start(&bus, &mut NoTime).ok().context(silent)?;
    let mut lengths = Lengths::new(settings.seed);
    let mut trails = Vec::new();
    for _ in 0..settings.evenings {
        bench.borrow_mut().obey(Request::Begin)?;
        controller.begin();
        for _ in 0..usize::from(lengths.next_rows()) + TAIL {
            let reading = thermometers.read().ok().context(silent)?;
            let level = controller.level(&reading);
            bench.borrow_mut().obey(Request::Heat(level as u8))?;
        }
        trails.push(bench.borrow().trail().to_vec());
    }
    Ok(trails)
}
