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
///
/// # Errors
/// If the file cannot be written.
pub fn blank_eeprom(file: &str) -> Result<()> {
    fs::write(file, [0xff; EEPROM_BYTES]).with_context(|| format!("cannot write {file}"))
}

/// The devices on the bus, and more words for the command line.
#[derive(Clone, Debug)]
pub struct Attached<'a> {
    thermometers: [bool; 3],
    eeprom: Option<&'a str>,
    words: Vec<String>,
    counted: bool,
}

impl<'a> Attached<'a> {
    /// Three thermometers, and nothing else.
    pub fn thermometers() -> Self {
        Self { thermometers: [true; 3], eeprom: None, words: Vec::new(), counted: false }
    }

    /// Also an EEPROM, with its contents in this file.
    pub fn with_eeprom(file: &'a str) -> Self {
        Self { eeprom: Some(file), ..Self::thermometers() }
    }

    /// Without these thermometers.
    #[must_use]
    pub fn without(mut self, missing: &[usize]) -> Self {
        for number in missing {
            self.thermometers[*number] = false;
        }
        self
    }

    /// With more words on the command line.
    #[must_use]
    pub fn saying<'w>(mut self, words: impl IntoIterator<Item = &'w str>) -> Self {
        self.words.extend(words.into_iter().map(Into::into));
        self
    }

    /// Time passes with the instructions, 256 ns each: a watchdog depends on nothing else, and is soon over.
    #[must_use]
    pub fn counted(self) -> Self {
        Self { counted: true, ..self }
    }

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
    ///
    /// # Errors
    /// If QEMU is gone.
    pub fn show(&self, link: &mut DeviceLink, millidegrees: [i32; 3]) -> Result<()> {
        let present = (0..3).filter(|number| self.thermometers[*number]);
        link.qmp.set(present.map(|number| (THERMOMETERS[number], "temperature", i64::from(millidegrees[number]))))
    }
}
