//! A sensor at the other end of the serial line, for boards whose emulator has no bus. The line is also the clock.

use embedded_io::{Read, Write};
use osculate_apps::fault::Fault;
use osculate_apps::line::{Answer, Request, ask, wait_for};
use osculate_apps::nexting::device::Sensor;

/// The line, and what it has said last.
#[derive(Debug)]
pub struct LineSensor<L> {
    line: L,
    reading: Option<[i16; 2]>,
}

impl<L> LineSensor<L> {
    pub(super) fn new(line: L) -> Self {
        Self { line, reading: None }
    }
}

impl<L: Read + Write> Sensor for LineSensor<L> {
    fn wait(&mut self) -> bool {
        let answer = ask(&mut self.line, Request::Sample).and_then(|()| {
            wait_for(&mut self.line, |answer| match answer {
                Answer::Sampled(reading) => Some(Some(reading)),
                Answer::End => Some(None),
                _ => None,
            })
        });
        self.reading = answer.ok().flatten();
        self.reading.is_some()
    }

    fn read(&mut self) -> Result<[f32; 2], Fault> {
        let reading = self.reading.take().ok_or(Fault::Absent)?;
        Ok(reading.map(|axis| f32::from(axis) / 1024.0))
    }
}
