//! Serial lines, and a sensor at the other end of one, for boards whose emulator has no bus. The line is also the clock.

use core::convert::Infallible;

use embedded_io::{ErrorType, Read, Write};
use osculate_apps::fault::Fault;
use osculate_apps::line::{Answer, Request, ask, wait_for};
use osculate_apps::nexting::device::Sensor;

/// What a chip does with one byte.
pub trait Port {
    /// Sends it, as soon as there is room.
    fn send(&mut self, byte: u8);
    /// Waits for it.
    fn receive(&mut self) -> u8;
    /// Waits until everything is sent.
    fn flush(&mut self) {}
}

/// A serial line.
#[derive(Debug)]
pub struct Line<P>(pub P);

impl<P> ErrorType for Line<P> {
    type Error = Infallible;
}

impl<P: Port> Write for Line<P> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        bytes.iter().for_each(|byte| self.0.send(*byte));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        self.0.flush();
        Ok(())
    }
}

impl<P: Port> Read for Line<P> {
    /// Waits for a byte, and reads only that.
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        let Some(first) = bytes.first_mut() else { return Ok(0) };
        *first = self.0.receive();
        Ok(1)
    }
}

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

/// What the other end answers to a request; `None` if that is the end, or if the line fails.
pub(super) fn answered<T>(
    line: &mut (impl Read + Write),
    request: Request,
    wanted: impl Fn(Answer) -> Option<T>,
) -> Option<T> {
    ask(line, request).ok()?;
    wait_for(line, |answer| if answer == Answer::End { Some(None) } else { wanted(answer).map(Some) }).ok()?
}

impl<L: Read + Write> Sensor for LineSensor<L> {
    fn wait(&mut self) -> bool {
        self.reading = answered(&mut self.line, Request::Sample, |answer| match answer {
            Answer::Sampled(reading) => Some(reading),
            _ => None,
        });
        self.reading.is_some()
    }

    fn read(&mut self) -> Result<[f32; 2], Fault> {
        let reading = self.reading.take().ok_or(Fault::Absent)?;
        Ok(reading.map(|axis| f32::from(axis) / 1024.0))
    }
}
