//! As much of a firmware's ELF file as is asked for: what its image takes, where a function is, and its code.

use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind};

/// An ELF file, read.
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
    /// Where it is not there, or no ELF file.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = object::File::parse(&*bytes).with_context(|| format!("{} is no ELF file", path.display()))?;
        let mut elf = Self { flash: 0, ram: 0, code: Vec::new(), functions: Vec::new() };
        for section in file.sections() {
            let size = section.size() as u32;
            let kind = section.kind();
            match kind {
                SectionKind::Text | SectionKind::ReadOnlyData | SectionKind::ReadOnlyString => elf.flash += size,
                // Its first values lie in flash.
                SectionKind::Data => {
                    elf.flash += size;
                    elf.ram += size;
                }
                SectionKind::UninitializedData => elf.ram += size,
                // Symbols, debug information, the log's texts: they stay in the file.
                _ => {}
            }
            if kind == SectionKind::Text {
                elf.code.push((section.address() as u32, section.data()?.to_vec()));
            }
        }
        for symbol in file.symbols() {
            // The lowest bit of an address tells that it is Thumb code.
            let start = symbol.address() as u32 & !1;
            elf.functions.push((symbol.name()?.into(), start..start + symbol.size() as u32));
        }
        Ok(elf)
    }

    /// Bytes of flash: code, constants, and what initialised statics start from.
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

    /// Where the first function whose name contains `name` begins and ends.
    ///
    /// # Errors
    /// Where there is none.
    pub fn function(&self, name: &str) -> Result<Range<u32>> {
        let found = self.functions.iter().find(|(known, _)| known.contains(name));
        found.map(|(_, range)| range.clone()).with_context(|| format!("the binary has no function `{name}`"))
    }
}
