//! The parts of a firmware's ELF file that the lab needs: the size of its image, the addresses of functions, and code.

use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind};

/// A parsed ELF file.
#[derive(Clone, Debug)]
pub struct Elf {
    flash: u32,
    ram: u32,
    code: Vec<(u32, Vec<u8>)>,
    functions: Vec<(String, Range<u32>)>,
}

impl Elf {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file does not exist or is not an ELF file.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = object::File::parse(&*bytes).with_context(|| format!("{} is no ELF file", path.display()))?;
        let mut elf = Self { flash: 0, ram: 0, code: Vec::new(), functions: Vec::new() };
        for section in file.sections() {
            let size = section.size() as u32;
            let kind = section.kind();
            match kind {
                SectionKind::Text | SectionKind::ReadOnlyData | SectionKind::ReadOnlyString => elf.flash += size,
                // The initial values are in flash.
                SectionKind::Data => {
                    elf.flash += size;
                    elf.ram += size;
                }
                SectionKind::UninitializedData => elf.ram += size,
                // Symbols, debug information, log strings: they stay in the file.
                _ => {}
            }
            if kind == SectionKind::Text {
                elf.code.push((section.address() as u32, section.data()?.to_vec()));
            }
        }
        for symbol in file.symbols() {
            // The lowest bit of an address marks Thumb code.
            let start = symbol.address() as u32 & !1;
            elf.functions.push((symbol.name()?.into(), start..start + symbol.size() as u32));
        }
        Ok(elf)
    }

    /// Bytes of flash: code, constants, and the initial values of statics.
    pub fn flash(&self) -> u32 {
        self.flash
    }

    /// Bytes of static RAM.
    pub fn ram(&self) -> u32 {
        self.ram
    }

    /// The halfword of code at an address.
    pub fn code(&self, address: u32) -> Option<u16> {
        self.code.iter().find_map(|(start, bytes)| {
            let at = address.checked_sub(*start)? as usize;
            Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
        })
    }

    /// The address range of the first function whose name contains `name`.
    ///
    /// # Errors
    /// If there is none.
    pub fn function(&self, name: &str) -> Result<Range<u32>> {
        let found = self.functions.iter().find(|(known, _)| known.contains(name));
        found.map(|(_, range)| range.clone()).with_context(|| format!("the binary has no function `{name}`"))
    }
}
