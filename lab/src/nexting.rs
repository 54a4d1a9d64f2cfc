//! A wheel with magnets, a compass beside it, and the device's predictions of its readings.

use std::f64::consts::TAU;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use osculate::Random;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::line::{Answer, Request};
use osculate_apps::message::Message;
pub use osculate_apps::nexting::Moment;
use osculate_apps::nexting::{COMPASS, GAMMAS, Nexting, field, learn};
use osculate_apps::with_arithmetic;

use crate::boards::{self, Board};
use crate::device_link::{self, DeviceLink};
use crate::emulation::{Emulation, Pico};
use crate::firmware;
use crate::log::Line;
use crate::temporary::TemporaryFolder;
use crate::toolchain::emulator::Emulator;

/// Steps of a whole run.
pub const STEPS: u32 = 6000;
/// The step at which the wheel is changed.
pub const CHANGE: u32 = 2500;

/// A wheel that turns once in about forty steps, with one magnet larger than the others. At step [`CHANGE`] another
/// takes its place: it turns once in 25 steps, and its large magnet sits elsewhere.
#[derive(Clone, Debug)]
pub struct Wheel {
    angle: f64,
    turned: u32,
    random: Random,
}

impl Wheel {
    /// At rest.
    pub fn new(seed: u64) -> Self {
        Self { angle: 0.0, turned: 0, random: Random::new(seed) }
    }

    /// Turns by one step and returns the field in x and y in nanotesla, never negative.
    pub fn turn(&mut self) -> [i32; 2] {
        let mut jitter = || f64::from(self.random.below(1 << 16)) / 32768.0 - 1.0;
        let (steps, magnet) = if self.turned < CHANGE { (40.0, 1.0) } else { (25.0, 2.5) };
        self.turned += 1;
        self.angle += TAU / steps * (1.0 + 0.1 * jitter());
        let x = libm::cos(self.angle) + 0.5 * libm::cos(2.0 * self.angle + magnet);
        let y = libm::sin(self.angle);
        [x, y].map(|axis| libm::round(93_000.0 + 50_000.0 * (axis + 0.02 * jitter())) as i32)
    }
}

/// The compass registers for a field: x, z and y in units of a gauss divided by 1100.
fn registers([x, y]: [i32; 2]) -> [u8; 6] {
    let [x, y] = [x, y].map(|nanotesla| ((nanotesla * 11 / 1000) as i16).to_be_bytes());
    [x[0], x[1], 0, 0, y[0], y[1]]
}

/// Learns on this machine, with the same source as the device.
pub fn on_host(rule: Rule, seed: u64, steps: u32) -> Result<Vec<Moment>> {
    let mut wheel = Wheel::new(seed);
    let mut moments = Vec::new();
    learn::<anyhow::Error>(rule, steps, || Ok(field(registers(wheel.turn()))), |moment| moments.push(moment))?;
    Ok(moments)
}

/// The first release of QEMU that emulates a compass.
pub const COMPASS_SINCE: (u32, u32) = (7, 0);

/// The readings of the first steps, in 1/1024, as every board gets them.
pub fn readings(seed: u64, steps: u32) -> impl Iterator<Item = [i16; 2]> {
    let mut wheel = Wheel::new(seed);
    (0..steps).map(move |_| reading(wheel.turn()))
}

fn reading(field: [i32; 2]) -> [i16; 2] {
    let [x, xx, _, _, y, yy] = registers(field);
    [[x, xx], [y, yy]].map(|axis| i16::from_be_bytes(axis) - 1024)
}

/// The arithmetic of a board's application: its core's.
pub fn arithmetic(board: &Board) -> Arith {
    if board.target.starts_with("thumbv6m") { Arith::Q28 } else { Arith::F32 }
}

/// Learns on this machine, in the arithmetic of a board and with the same source.
pub fn as_on(board: &Board, seed: u64, steps: u32) -> Result<Vec<Moment>> {
    with_arithmetic!(arithmetic(board), A => {
        let mut nexting = Nexting::<A>::new()?;
        readings(seed, steps).map(|axes| Ok(nexting.sample(axes.map(|axis| f32::from(axis) / 1024.0))?.0)).collect()
    })
}

/// Learns on a board in its emulator, from the sensor that it has there: a compass, an accelerometer, or whatever is at
/// the other end of its serial line. All of them have the same readings.
///
/// # Errors
/// If the emulator is missing, hangs or has no such sensor, or if the firmware does not build or fails.
pub fn on_device(board: &Board, seed: u64, steps: u32, on_step: impl FnMut(usize)) -> Result<Vec<Moment>> {
    let elf = firmware::build(board, "nexting", &[])?;
    let timeout = Duration::from_secs(60) + Duration::from_millis(20) * steps;
    let emulation = Emulation::new(board, elf).timeout(timeout);
    match board.emulator {
        Some(boards::Emulator::Rp2040js) => with_accelerometer(emulation, seed, steps, on_step),
        _ if board.sensors => {
            let emulator = Emulator::find()?;
            let (major, minor) = COMPASS_SINCE;
            ensure!(
                emulator.release() >= COMPASS_SINCE,
                "QEMU {} has no compass, QEMU {major}.{minor} was the first to have one",
                emulator.version
            );
            let compass = format!("lsm303dlhc_mag,id=compass,address={COMPASS}");
            on_line(emulation.options(["-device", &compass]), seed, steps, on_step, |link, field| {
                let [x, y] = field.map(i64::from);
                link.qmp.set([("compass", "mag-x", x), ("compass", "mag-y", y)])
            })
        }
        _ => on_line(emulation, seed, steps, on_step, |_, _| Ok(())),
    }
}

/// Turns the wheel whenever the device asks for it.
fn on_line(
    emulation: Emulation<'_>,
    seed: u64,
    steps: u32,
    mut on_step: impl FnMut(usize),
    mut show: impl FnMut(&mut DeviceLink, [i32; 2]) -> Result<()>,
) -> Result<Vec<Moment>> {
    let mut wheel = Wheel::new(seed);
    device_link::run(emulation, |link| {
        let mut step = 0;
        while let Some(request) = link.receive(|| Ok(()))? {
            if step == steps {
                link.send(Answer::End)?;
                continue;
            }
            let field = wheel.turn();
            show(link, field)?;
            link.send(match request {
                Request::Turn => Answer::Over,
                Request::Sample => Answer::Sampled(reading(field)),
                other => bail!("the device said {other:?} to its wheel"),
            })?;
            step += 1;
            on_step(step as usize);
        }
        link.log.iter().filter_map(|line| moment(&line).transpose()).collect()
    })
}

/// Puts the readings of all steps into the registers of an accelerometer, one after the other.
fn with_accelerometer(
    emulation: Emulation<'_>,
    seed: u64,
    steps: u32,
    mut on_step: impl FnMut(usize),
) -> Result<Vec<Moment>> {
    let folder = TemporaryFolder::new()?;
    let samples = PathBuf::from(folder.file("samples")?);
    fs::write(&samples, acceleration(readings(seed, steps)))?;
    let pico = Pico { accelerometer: Some(samples), ..Pico::default() };
    let (mut moments, mut told) = (Vec::new(), Ok(()));
    let outcome = emulation.pico(&pico).run(|line| match moment(line) {
        Ok(Some(moment)) => {
            moments.push(moment);
            on_step(moments.len());
        }
        Ok(None) => {}
        Err(error) => told = Err(error),
    })?;
    outcome.success()?;
    told.map(|()| moments)
}

/// Readings as the runner of the Pico takes them: registers of twelve bits, left-aligned, in thousandths of gravity.
pub fn acceleration(readings: impl Iterator<Item = [i16; 2]>) -> String {
    readings.map(|[x, y]| format!("{} {} 0\n", x * 16, y * 16)).collect()
}

fn moment(line: &Line) -> Result<Option<Moment>> {
    Ok(if let Some(Message::Moment(moment)) = line.told()? { Some(moment) } else { None })
}

/// Steps in which a rule has learned enough, steps right after the change, and steps when it has recovered.
pub const WINDOWS: [Range<usize>; 3] = [500..2000, 2500..3000, 4000..5500];

/// The ground truth of each moment on a time scale: the discounted mean of the later readings of the first axis.
pub fn truth(moments: &[Moment], gamma: f32) -> Vec<f64> {
    let gamma = f64::from(gamma);
    let mut future = 0.0;
    let mut truth = vec![0.0; moments.len()];
    for t in (0..moments.len().saturating_sub(1)).rev() {
        future = (1.0 - gamma) * f64::from(moments[t + 1].field[0]) + gamma * future;
        truth[t] = future;
    }
    truth
}

/// The fraction of the ground truth's variance in these steps that was not predicted on a time scale.
pub fn unforeseen(moments: &[Moment], scale: usize, steps: Range<usize>) -> f64 {
    let truth = truth(moments, GAMMAS[scale]);
    let mean = truth[steps.clone()].iter().sum::<f64>() / steps.len() as f64;
    let error: f64 = steps.clone().map(|t| (f64::from(moments[t].expected[scale]) - truth[t]).powi(2)).sum();
    error / steps.map(|t| (truth[t] - mean).powi(2)).sum::<f64>()
}

/// The fraction of the readings in these steps that were within the band given before them; `None` without bands.
pub fn covered(moments: &[Moment], steps: Range<usize>) -> Option<f64> {
    let within = steps.clone().map(|t| {
        let distance = f64::from(moments[t].expected[0]) - f64::from(moments[t + 1].field[0]);
        moments[t].band.map(|band| distance.abs() <= f64::from(band))
    });
    let within = within.collect::<Option<Vec<bool>>>()?;
    Some(within.iter().filter(|within| **within).count() as f64 / steps.len() as f64)
}
