//! A wheel with magnets, a compass beside it, and the device's predictions of its readings.

use std::f64::consts::TAU;
use std::ops::Range;
use std::time::Duration;

use crate::boards::Board;
use crate::device_link;
use crate::emulation::Emulation;
use crate::firmware;
use crate::toolchain::emulator::Emulator;
use anyhow::{Result, ensure};
use osculate::Random;
use osculate_apps::choice::Rule;
use osculate_apps::line::{Answer, Request};
use osculate_apps::message::Message;
pub use osculate_apps::nexting::Moment;
use osculate_apps::nexting::{COMPASS, GAMMAS, field, learn};

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
///
/// # Errors
/// If a parameter is invalid.
pub fn on_host(rule: Rule, seed: u64, steps: u32) -> Result<Vec<Moment>> {
    let mut wheel = Wheel::new(seed);
    let mut moments = Vec::new();
    learn::<anyhow::Error>(rule, steps, || Ok(field(registers(wheel.turn()))), |moment| moments.push(moment))?;
    Ok(moments)
}

/// The first release of QEMU that emulates a compass.
pub const COMPASS_SINCE: (u32, u32) = (7, 0);

/// Learns on a board in QEMU, from its emulated compass.
///
/// # Errors
/// If QEMU is missing, hangs or is older than [`COMPASS_SINCE`], or if the firmware does not build or fails.
pub fn on_device(
    board: &Board,
    rule: Rule,
    seed: u64,
    steps: u32,
    mut on_step: impl FnMut(usize) -> Result<()>,
) -> Result<Vec<Moment>> {
    let emulator = Emulator::find()?;
    let (major, minor) = COMPASS_SINCE;
    ensure!(
        emulator.release() >= COMPASS_SINCE,
        "QEMU {} has no compass, QEMU {major}.{minor} was the first to have one",
        emulator.version
    );
    let elf = firmware::build(board, "nexting", &[])?;
    let compass = format!("lsm303dlhc_mag,id=compass,address={COMPASS}");
    let timeout = Duration::from_secs(60) + Duration::from_millis(20) * steps;
    let qemu = Emulation::new(board, elf).argument(rule.name()).argument(steps.to_string());
    let qemu = qemu.options(["-device", &compass]).timeout(timeout);
    let mut wheel = Wheel::new(seed);
    device_link::run(qemu, |link| {
        let mut steps = 0;
        while let Some(request) = link.receive(|| Ok(()))? {
            ensure!(request == Request::Turn, "the device said {request:?} to its wheel");
            let [x, y] = wheel.turn().map(i64::from);
            link.qmp.set([("compass", "mag-x", x), ("compass", "mag-y", y)])?;
            link.send(Answer::Over)?;
            steps += 1;
            on_step(steps)?;
        }
        let told = link.log.iter().filter_map(|line| match line.told() {
            Ok(Some(Message::Moment(moment))) => Some(Ok(moment)),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        });
        told.collect()
    })
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
