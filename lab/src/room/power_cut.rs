//! The device loses power in the middle of an evening, and starts again in the next one.

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use osculate::Random;
use osculate_apps::line::Request;
use osculate_apps::message::Message;
use osculate_apps::room::agent::{Settings, TAIL, next_rows};
use osculate_apps::room::telemetry::Start;
use osculate_apps::store::Origin;
use serde_json::{Value, json};

use super::device::{Observer, PATIENCE, Run, Size};
use super::run_log::Evening;
use super::test_bed::TestBed;
use crate::device_link::{self, DeviceLink};

/// A power cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerCut {
    /// The evening of the house, counted from 1.
    pub evening: u32,
    /// The steps of that evening before it.
    pub steps: u32,
    /// What the device says when power is back; `None` until then.
    pub start: Option<Start>,
}

/// Ends a run in QEMU, which is killed then.
#[derive(Clone, Copy, Debug)]
pub(super) struct PowerFails;

impl fmt::Display for PowerFails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("power has failed")
    }
}

impl std::error::Error for PowerFails {}

impl PowerCut {
    /// For machines. The checkpoint is `null` if the device has started without one.
    pub(super) fn to_json(self) -> Value {
        let checkpoint = match self.start.map(|start| start.origin) {
            Some(Origin::Checkpoint(number)) => Some(number),
            _ => None,
        };
        json!({
            "evening": self.evening,
            "after_steps": self.steps,
            "checkpoint": checkpoint,
            "evenings_kept": self.start.map(|start| start.evenings),
        })
    }
}

impl Run<'_> {
    /// As [`learn`](Run::learn), but in the middle of this evening, counted from 1, QEMU is killed. The heater is off
    /// until bedtime, and the night passes as usual. Then QEMU starts again with the same EEPROM.
    ///
    /// The house has as many evenings as otherwise, and the device one less: it has no time for the one it lost.
    pub fn learn_with_power_cut(&self, elf: &Path, evening: u32, observer: &mut dyn Observer) -> Result<Size> {
        let Settings { seed, evenings, .. } = self.settings;
        ensure!((1..=evenings).contains(&evening), "there is no evening {evening}");
        let mut random = Random::new(seed);
        let bedtime = (1..=evening).map(|_| next_rows(&mut random) + TAIL).last().unwrap_or_default() as u32;
        let cut = PowerCut { evening, steps: bedtime / 2, start: None };
        self.with_eeprom(elf, |attached| {
            let mut test_bed = TestBed::new(self.scene.clone());
            let power_fails = Some((evening, cut.steps));
            match device_link::run(self.qemu(elf, attached), |link| {
                self.play(link, &mut test_bed, power_fails, observer)
            }) {
                Err(error) if error.is::<PowerFails>() => {}
                Err(error) => return Err(error),
                Ok(_) => bail!("the device was done before power failed"),
            }
            observer.power_cut(cut)?;
            for step in cut.steps + 1..=bedtime {
                test_bed.apply(Request::Heat(0))?;
                let moment = test_bed.trail().last().context("a step has a moment")?;
                observer.step(evening, step, moment)?;
            }
            observer.evening(evening, Evening { trail: test_bed.take_trail(), ..Evening::default() }, Vec::new())?;

            let settings = Settings { evenings: evenings - 1, ..self.settings };
            let rest = Run { settings, ..self.clone() };
            device_link::run(rest.qemu(elf, attached), |link| {
                observer.power_cut(PowerCut { start: Some(recv_start(link)?), ..cut })?;
                self.play(link, &mut test_bed, None, observer)
            })
        })
    }
}

/// Waits until the device says how it starts.
fn recv_start(link: &DeviceLink) -> Result<Start> {
    loop {
        let line = link.log.recv_timeout(PATIENCE).context("the device does not say how it starts")?;
        if let Some(Message::Start(start)) = line.told()? {
            return Ok(start);
        }
    }
}
