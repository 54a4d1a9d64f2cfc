//! The agent on a device in QEMU, with its thermometers in the plant on this machine.

use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::message::Message;

use super::attached::{Attached, THERMOMETERS, blank_eeprom};
use super::plant::Scene;
use super::power_cut::{PowerCut, PowerFails};
use super::run_log::Evening;
use super::test_bed::{Moment, TestBed};
use crate::boards::Board;
use crate::device_link::{self, DeviceLink};
use crate::elf::Elf;
use crate::emulation::Emulation;
use crate::firmware;
use crate::temporary::TemporaryFolder;
use osculate_apps::room::agent::Settings;
pub use osculate_apps::room::telemetry::Recorded;

/// How long the report of an evening may take after its last step.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// What to run, and where.
#[derive(Clone, Debug)]
pub struct Run<'b> {
    /// The board.
    pub board: &'b Board,
    /// The arithmetic to learn in.
    pub arith: Arith,
    /// The agent's settings.
    pub settings: Settings,
    /// The house, its weather and its events.
    pub scene: Scene,
    /// Whether the device reports every step as it learns from it.
    pub records: bool,
    /// The longest it may take.
    pub timeout: Duration,
}

/// Observes a run. An error from it ends the run.
pub trait Observer {
    /// A step is over.
    fn step(&mut self, _evening: u32, _step: u32, _moment: &Moment) -> Result<()> {
        Ok(())
    }
    /// An evening is over and learned from. If the device records, its steps come as the device reported them.
    fn evening(&mut self, _evening: u32, _told: Evening, _recorded: Vec<Recorded>) -> Result<()> {
        Ok(())
    }
    /// Power has failed, or is back.
    fn power_cut(&mut self, _: PowerCut) -> Result<()> {
        Ok(())
    }
}

/// Nobody looks.
impl Observer for () {}

/// Flash and RAM, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Code and constants.
    pub flash: usize,
    /// Statics.
    pub statics: usize,
    /// The stack at its deepest, the episode's log included.
    pub stack: usize,
}

impl Run<'_> {
    /// Builds the firmware.
    pub fn build(&self) -> Result<PathBuf> {
        let features: &[&str] = match (self.arith, self.settings.rule) {
            (Arith::F32, Rule::Tracking) => &[],
            (Arith::F32, _) => &["episodes"],
            (Arith::Q28, Rule::Tracking) => &["fixed-point"],
            (Arith::Q28, _) => &["fixed-point", "episodes"],
            (other, _) => bail!("the room's firmware learns in f32 or in q28, not in {}", other.name()),
        };
        firmware::build(self.board, "room", features)
    }

    /// Runs the firmware and simulates the room for it.
    ///
    /// # Errors
    /// If the firmware fails, QEMU is missing or hangs, or the observer ends the run.
    pub fn learn(&self, elf: &Path, observer: &mut dyn Observer) -> Result<Size> {
        self.with_eeprom(elf, |attached| {
            let mut test_bed = TestBed::new(self.scene.clone());
            device_link::run(self.qemu(elf, attached), |link| self.play(link, &mut test_bed, None, observer))
        })
    }

    /// Lives with a new EEPROM. `live` returns the deepest stack.
    pub(super) fn with_eeprom(&self, elf: &Path, live: impl FnOnce(&Attached<'_>) -> Result<usize>) -> Result<Size> {
        let image = Elf::read(elf)?;
        let folder = TemporaryFolder::new()?;
        let eeprom = folder.file("eeprom")?;
        blank_eeprom(&eeprom)?;
        let stack = live(&Attached { eeprom: Some(&eeprom), ..Attached::default() })?;
        Ok(Size { flash: image.flash() as usize, statics: image.ram() as usize, stack })
    }

    /// The device, not yet started.
    pub fn qemu(&self, elf: &Path, attached: &Attached<'_>) -> Emulation<'_> {
        let Settings { seed, evenings, rule } = self.settings;
        let mut qemu = Emulation::new(self.board, elf).timeout(self.timeout);
        for argument in [rule.name(), &seed.to_string(), &evenings.to_string()] {
            qemu = qemu.argument(argument);
        }
        if self.records {
            qemu = qemu.argument("record");
        }
        attached.add_to(qemu)
    }

    /// Answers the device until it is done, and returns its deepest stack.
    ///
    /// Fails with [`PowerFails`] after this many steps of this evening of the house.
    pub(super) fn play(
        &self,
        link: &mut DeviceLink,
        test_bed: &mut TestBed,
        power_fails: Option<(u32, u32)>,
        observer: &mut dyn Observer,
    ) -> Result<usize> {
        let mut shown = None;
        while let Some(request) = link.receive(|| Ok(()))? {
            let now = (test_bed.evening(), test_bed.trail().len() as u32);
            ensure!(power_fails != Some(now), PowerFails);
            let ended = test_bed.apply(request)?;
            if let Some(trail) = ended {
                Self::recv_evening(link, test_bed.evening() - 1, trail, observer)?;
            }
            // A command takes longer than the rest of a step, so it is sent only if a thermometer's reading will
            // change.
            let exposed = test_bed.millidegrees().map(i64::from);
            let changed = (0..3).filter(|i| shown.is_none_or(|shown: [u16; 3]| shown[*i] != test_bed.shown()[*i]));
            link.qmp.set(changed.map(|i| (THERMOMETERS[i], "temperature", exposed[i])))?;
            shown = Some(test_bed.shown());
            link.send(request.answer())?;
            if let Some(moment) = test_bed.trail().last() {
                observer.step(test_bed.evening(), test_bed.trail().len() as u32, moment)?;
            }
        }
        if test_bed.evening() >= self.settings.evenings && !test_bed.trail().is_empty() {
            Self::recv_evening(link, test_bed.evening(), test_bed.trail().to_vec(), observer)?;
        }
        for line in &link.log {
            if let Some(Message::Stack(bytes)) = line.told()? {
                return Ok(bytes as usize);
            }
        }
        bail!("the device has not said how deep its stack was")
    }

    /// Waits for the device's report of an evening.
    fn recv_evening(link: &DeviceLink, evening: u32, trail: Vec<Moment>, observer: &mut dyn Observer) -> Result<()> {
        let (mut recorded, mut known) = (Vec::new(), None);
        loop {
            let told = match link.log.recv_timeout(PATIENCE) {
                Ok(line) => line.told()?,
                Err(RecvTimeoutError::Timeout) => bail!("the device says nothing about evening {evening}"),
                Err(RecvTimeoutError::Disconnected) => bail!("the device has ended in evening {evening}"),
            };
            match told {
                Some(Message::Step(step)) => recorded.push(step),
                Some(Message::Known(house)) => known = Some(house),
                Some(Message::Evening(told)) => {
                    let known = known.context("the device says nothing about its house")?;
                    let steps = trail.len();
                    ensure!(
                        told.steps as usize == steps,
                        "the device says {} steps, the room has had {steps}",
                        told.steps
                    );
                    return observer.evening(evening, Evening::new(trail, &known, &told), recorded);
                }
                _ => {}
            }
        }
    }
}
