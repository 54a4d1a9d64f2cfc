//! What is attached to the room's device in QEMU.

use std::fs;

use anyhow::{Context, Result};
use checkpoint_ring::{EEPROM_ADDRESS, EEPROM_BYTES};
use osculate_apps::room::sensor::ADDRESSES;

use crate::device_link::DeviceLink;
use crate::emulation::Emulation;

/// The thermometers' names in QEMU.
pub(super) const THERMOMETERS: [&str; 3] = ["room", "floor", "outside"];

/// Writes the contents of an EEPROM as delivered to a file.
pub fn blank_eeprom(file: &str) -> Result<()> {
    fs::write(file, [0xff; EEPROM_BYTES]).with_context(|| format!("cannot write {file}"))
}

/// The devices on the bus, and more words for the command line.
#[derive(Clone, Debug)]
pub struct Attached<'a> {
    /// Which of the thermometers are there.
    pub thermometers: [bool; 3],
    /// The file with the contents of the EEPROM, if there is one.
    pub eeprom: Option<&'a str>,
    /// More words on the command line.
    pub words: Vec<String>,
    /// Time passes with the instructions, 256 ns each: a watchdog depends on nothing else, and is soon over.
    pub counted: bool,
}

impl Default for Attached<'_> {
    /// Three thermometers, and nothing else.
    fn default() -> Self {
        Self { thermometers: [true; 3], eeprom: None, words: Vec::new(), counted: false }
    }
}

impl Attached<'_> {
    /// Adds the parts and the command line to a run.
    pub fn add_to<'b>(&self, mut qemu: Emulation<'b>) -> Emulation<'b> {
        for word in &self.words {
            qemu = qemu.argument(word);
        }
        for number in (0..3).filter(|number| self.thermometers[*number]) {
            let (id, address) = (THERMOMETERS[number], ADDRESSES[number]);
            qemu = qemu.options(["-device", &format!("tmp105,id={id},address={address}")]);
        }
        if let Some(file) = self.eeprom {
            qemu = qemu.options(["-drive", &format!("if=none,id=eeprom,format=raw,file={file}")]);
            let device = format!("at24c-eeprom,address={EEPROM_ADDRESS},rom-size={EEPROM_BYTES},drive=eeprom");
            qemu = qemu.options(["-device", &device]);
        }
        if self.counted {
            qemu = qemu.options(["-icount", "shift=8,sleep=on"]);
        }
        qemu
    }

    /// Sets the temperatures, in thousandths of °C.
    pub fn show(&self, link: &mut DeviceLink, millidegrees: [i32; 3]) -> Result<()> {
        let present = (0..3).filter(|number| self.thermometers[*number]);
        link.qmp.set(present.map(|number| (THERMOMETERS[number], "temperature", i64::from(millidegrees[number]))))
    }
}
