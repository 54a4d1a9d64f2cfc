//! Thermometers and a serial line for the agent, without a device.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::mem;
use std::rc::Rc;

use anyhow::{Context, Result, bail};
use embedded_hal::i2c::{ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};
use embedded_io::{Read, Write};
use osculate_apps::line::{Frames, MOST, Request, frame};

pub use osculate_programs::soak::NoTime;
use osculate_programs::tmp105::Tmp105;

use super::plant::{Plant, Scene};
use osculate_apps::room::sensor::ADDRESSES;
use osculate_apps::room::{POWERS, PRICE, SET_POINT};

/// A house with evenings, thermometers and a heater: everything but the agent.
#[derive(Clone, Debug)]
pub struct TestBed {
    scene: Scene,
    evening: u32,
    plant: Plant,
    thermometers: [Tmp105; 3],
    trail: Vec<Moment>,
}

/// A step, as seen by the host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// °C of the room, after the step.
    pub room: f64,
    /// °C of the floor.
    pub floor: f64,
    /// °C outside.
    pub outside: f64,
    /// The heater's power during the step.
    pub power: f64,
}

impl Moment {
    /// The cost of the step.
    pub fn cost(&self) -> f64 {
        (self.room - f64::from(SET_POINT)).abs() + f64::from(PRICE) * self.power
    }
}

impl TestBed {
    /// Before the first evening.
    pub fn new(scene: Scene) -> Self {
        let plant = Plant::evening(&scene, 1);
        Self { scene, evening: 0, plant, thermometers: Default::default(), trail: Vec::new() }
    }

    /// Executes a request of the agent.
    ///
    /// Returns the evening that ended with it, if one did and was not taken before.
    ///
    /// # Errors
    /// If there is no such heater level, or if the request is not supported here.
    pub fn apply(&mut self, request: Request) -> Result<Option<Vec<Moment>>> {
        let mut ended = None;
        match request {
            Request::Begin(_) => {
                ended = (!self.trail.is_empty()).then(|| self.take_trail());
                self.evening += 1;
                if self.evening == 1 || self.scene.restarts {
                    self.plant = Plant::evening(&self.scene, self.evening);
                } else {
                    self.plant.next_evening(&self.scene, self.evening);
                }
            }
            Request::Heat(level) => {
                let power = POWERS.get(usize::from(level));
                let power = *power.with_context(|| format!("the heater has no level {level}"))?;
                self.plant.heat(power.into());
                let Plant { room, floor, .. } = self.plant;
                self.trail.push(Moment { room, floor, outside: self.plant.outside(), power: power.into() });
            }
            Request::Turn | Request::Sample => bail!("there is no wheel in the room"),
        }
        let exposed = self.millidegrees();
        for (thermometer, millidegrees) in self.thermometers.iter_mut().zip(exposed) {
            thermometer.temperature = (millidegrees * 256 / 1000) as i16;
        }
        Ok(ended)
    }

    /// The evening, counted from 1; 0 before the first.
    pub fn evening(&self) -> u32 {
        self.evening
    }

    /// The temperatures at the thermometers, in thousandths of °C: room, floor, outside.
    pub fn millidegrees(&self) -> [i32; 3] {
        [self.plant.room, self.plant.floor, self.plant.outside()].map(|celsius| libm::round(celsius * 1000.0) as i32)
    }

    /// The readings of the thermometers, at the resolution set by the agent.
    pub fn shown(&self) -> [u16; 3] {
        self.thermometers.map(|thermometer| thermometer.temperature.cast_unsigned() & 0xfff0)
    }

    /// Ends the evening without the agent, and returns its steps.
    pub fn take_trail(&mut self) -> Vec<Moment> {
        mem::take(&mut self.trail)
    }

    /// The steps of the evening so far.
    pub fn trail(&self) -> &[Moment] {
        &self.trail
    }
}

/// The bus that the thermometers are on.
#[derive(Clone, Debug)]
pub struct Bus(pub Rc<RefCell<TestBed>>);

impl ErrorType for Bus {
    type Error = ErrorKind;
}

impl I2c for Bus {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        let mut test_bed = self.0.borrow_mut();
        let position = ADDRESSES.iter().position(|known| *known == address);
        let position = position.ok_or(ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address))?;
        test_bed.thermometers[position].transfer(operations);
        Ok(())
    }
}

/// The serial line to the heater.
pub struct Line {
    test_bed: Rc<RefCell<TestBed>>,
    trails: Rc<RefCell<Vec<Vec<Moment>>>>,
    frames: Frames,
    answers: VecDeque<u8>,
}

impl Line {
    /// A line to the heater of a test bed. Evenings that have ended are added to `trails`.
    pub fn new(test_bed: Rc<RefCell<TestBed>>, trails: Rc<RefCell<Vec<Vec<Moment>>>>) -> Self {
        Self { test_bed, trails, frames: Frames::new(), answers: VecDeque::new() }
    }
}

impl embedded_io::ErrorType for Line {
    type Error = embedded_io::ErrorKind;
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, embedded_io::ErrorKind> {
        let invalid = embedded_io::ErrorKind::InvalidData;
        for byte in bytes {
            if let Some(request) = self.frames.push(*byte).map_err(|_| invalid)? {
                let ended = self.test_bed.borrow_mut().apply(request).map_err(|_| invalid)?;
                self.trails.borrow_mut().extend(ended);
                self.answers.extend(frame(&request.answer(), &mut [0; MOST]).map_err(|_| invalid)?);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), embedded_io::ErrorKind> {
        Ok(())
    }
}

impl Read for Line {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, embedded_io::ErrorKind> {
        // Nothing to read means end of file, as for any reader.
        let count = bytes.len().min(self.answers.len());
        for (byte, answer) in bytes.iter_mut().zip(self.answers.drain(..count)) {
            *byte = answer;
        }
        Ok(count)
    }
}
