//! The device's agent and the other controllers against the plant, on this machine.

use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

use anyhow::Result;
use osculate_apps::line::Request;

use super::baseline::ControlLaw;
use super::run_log::Evening;
use super::test_bed::{Bus, Line, Moment, NoTime, TestBed};
use osculate::Random;
use osculate_apps::choice::Arith;
use osculate_apps::message::Message;
use osculate_apps::room::agent::{Room, Settings, TAIL, next_rows};
use osculate_apps::room::sensor::Thermometers;
use osculate_apps::store::Forgetful;
use osculate_apps::supervision::Unwatched;
use osculate_apps::with_arithmetic;

/// Learns with the same source as the device.
///
/// # Errors
/// If the agent gives up.
pub fn learn(test_bed: TestBed, arith: Arith, settings: &Settings) -> Result<Vec<Evening>> {
    let test_bed = Rc::new(RefCell::new(test_bed));
    let trails = Rc::new(RefCell::new(Vec::new()));
    let bus = RefCell::new(Bus(test_bed.clone()));
    let (mut known, mut told) = (Vec::new(), Vec::new());
    let mut thermometers = Thermometers::new(&bus);
    thermometers.start(&mut NoTime);
    let line = Line::new(test_bed.clone(), trails.clone());
    let mut room = Room {
        thermometers,
        line,
        keeper: Forgetful,
        supervisor: Unwatched,
        tell: |message: &Message| match message {
            Message::Known(house) => known.push(*house),
            Message::Evening(evening) => told.push(*evening),
            _ => {}
        },
    };
    with_arithmetic!(arith, A => room.learn::<A>(settings))?;
    let mut trails = trails.take();
    trails.push(test_bed.borrow().trail().to_vec());
    let told = trails.into_iter().zip(known.iter().zip(&told));
    Ok(told.map(|(trail, (known, told))| Evening::new(trail, known, told)).collect())
}

/// Runs another controller for the same evenings.
pub fn control(
    test_bed: TestBed,
    controller: &mut dyn ControlLaw,
    seed: u64,
    evenings: u32,
) -> Result<Vec<Vec<Moment>>> {
    let test_bed = Rc::new(RefCell::new(test_bed));
    let bus = RefCell::new(Bus(test_bed.clone()));
    let mut thermometers = Thermometers::new(&bus);
    thermometers.start(&mut NoTime);
    let mut random = Random::new(seed);
    let mut trails = Vec::new();
    for evening in 1..=evenings {
        test_bed.borrow_mut().apply(Request::Begin(evening))?;
        controller.begin();
        thermometers.begin();
        let mut reading = thermometers.read()?;
        for _ in 0..next_rows(&mut random) + TAIL {
            let level = controller.level(&reading);
            test_bed.borrow_mut().apply(Request::Heat(level as u8))?;
            let before = mem::replace(&mut reading, thermometers.read()?);
            controller.learn(&before, level, &reading);
        }
        trails.push(test_bed.borrow().trail().to_vec());
    }
    Ok(trails)
}
