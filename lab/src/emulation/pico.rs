//! The Raspberry Pi Pico, in rp2040js: the command that runs it, and the world around it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::running::tied_to_this_process;
use crate::repository::repository;
use crate::toolchain::rp2040js::Rp2040js;

/// What is around the Pico, and what happens to it. By default it is alone and nothing does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pico {
    /// A file that keeps the contents of the flash over runs. It need not exist yet.
    pub flash: Option<PathBuf>,
    /// The samples of an LSM303AGR on I2C0: a line `x y z` of raw 16-bit registers for each. The run ends with success
    /// when the firmware asks for one more. Without samples there is no sensor.
    pub accelerometer: Option<PathBuf>,
    /// The number, from 1, of the sample that never comes: the sensor holds the bus until the watchdog bites.
    pub stall: Option<u32>,
    /// The chip's temperature; 27 if not given.
    pub celsius: Option<f64>,
    /// Cuts the power inside a flash operation.
    pub cut: Option<Cut>,
    /// The number of resets after which a boot loop ends; 100 if not given.
    pub most_resets: Option<u32>,
}

/// A power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The number of the flash operation, from 1.
    pub operation: u32,
    /// The bytes that it has changed before.
    pub bytes: u32,
}

impl Pico {
    /// The command that runs an image with this command line. [`Emulation`](super::Emulation) is for firmware; this is
    /// for images that are none.
    pub fn command<'a>(&self, image: &Path, line: impl Iterator<Item = &'a String>) -> Result<Command> {
        let Rp2040js { node, package } = Rp2040js::find()?;
        let mut command = tied_to_this_process(node);
        // Options for the user's own programs could change what this one does.
        command.env_remove("NODE_OPTIONS").arg(repository().join("lab/pico/run.mjs"));
        command.arg("--rp2040js").arg(package).arg("--image").arg(image);
        for (name, file) in [("--flash", &self.flash), ("--accelerometer", &self.accelerometer)] {
            if let Some(file) = file {
                command.arg(name).arg(file);
            }
        }
        let numbers = [
            ("--stall", self.stall.map(|number| number.to_string())),
            ("--celsius", self.celsius.map(|number| number.to_string())),
            ("--cut", self.cut.map(|Cut { operation, bytes }| format!("{operation}:{bytes}"))),
            ("--most-resets", self.most_resets.map(|number| number.to_string())),
        ];
        for (name, number) in numbers {
            command.args(number.iter().flat_map(|number| [name, number]));
        }
        command.args(line.flat_map(|word| ["--argument", word]));
        Ok(command)
    }
}
