//! The device's agent and the other controllers against the plant, on this machine.

use std::cell::RefCell;
use std::rc::Rc;

use anyhow::Result;
use osculate_apps::line::Request;

use super::baseline::ControlLaw;
use super::test_bed::{Bus, Line, Moment, NoTime, TestBed};
use osculate::Random;
use osculate_apps::choice::Arith;
use osculate_apps::message::Message;
use osculate_apps::room::agent::{Room, Settings, TAIL, next_rows};
use osculate_apps::room::sensor::Thermometers;
use osculate_apps::room::telemetry::Evening;
use osculate_apps::with_arithmetic;

/// The evenings of an agent, as seen by the host and as reported by the agent.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The ground truth.
    pub trails: Vec<Vec<Moment>>,
    /// The agent's reports.
    pub told: Vec<Evening>,
}

/// Learns with the same source as the device.
///
/// # Errors
/// If the agent gives up.
pub fn learn(test_bed: TestBed, arith: Arith, settings: &Settings) -> Result<Learned> {
    let test_bed = Rc::new(RefCell::new(test_bed));
    let trails = Rc::new(RefCell::new(Vec::new()));
    let bus = RefCell::new(Bus(test_bed.clone()));
    let mut told = Vec::new();
    let thermometers = Thermometers::start(&bus, &mut NoTime)?;
    let line = Line::new(test_bed.clone(), trails.clone());
    let mut room = Room {
        thermometers,
        line,
        tell: |message: &Message| {
            if let Message::Evening(evening) = message {
                told.push(*evening);
            }
        },
    };
    with_arithmetic!(arith, A => room.learn::<A>(settings))?;
    let mut trails = trails.take();
    trails.push(test_bed.borrow().trail().to_vec());
    Ok(Learned { trails, told })
}

/// Runs another controller for the same evenings.
///
/// # Errors
/// If a thermometer does not answer.
pub fn control(test_bed: TestBed, controller: &mut dyn ControlLaw, settings: &Settings) -> Result<Vec<Vec<Moment>>> {
    let test_bed = Rc::new(RefCell::new(test_bed));
    let bus = RefCell::new(Bus(test_bed.clone()));
    let mut thermometers = Thermometers::start(&bus, &mut NoTime)?;
    let mut random = Random::new(settings.seed);
    let mut trails = Vec::new();
    for _ in 0..settings.evenings {
        test_bed.borrow_mut().apply(Request::Begin)?;
        controller.begin();
        for _ in 0..next_rows(&mut random) + TAIL {
            let reading = thermometers.read()?;
            let level = controller.level(&reading);
            test_bed.borrow_mut().apply(Request::Heat(level as u8))?;
        }
        trails.push(test_bed.borrow().trail().to_vec());
    }
    Ok(trails)
}
