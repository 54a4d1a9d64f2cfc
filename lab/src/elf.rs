//! The parts of a firmware's ELF file that the lab needs: the size of its image, the addresses of functions, and code.

use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind};

use crate::image_files::Content;

/// A parsed ELF file.
#[derive(Clone, Debug)]
pub struct Elf {
    content: Content,
    ram: u32,
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
        let is_static = |kind| matches!(kind, SectionKind::Data | SectionKind::UninitializedData);
        let statics = file.sections().filter(|section| is_static(section.kind()));
        let mut elf = Self {
            content: Content::of_elf(&bytes)?,
            ram: statics.map(|section| section.size() as u32).sum(),
            functions: Vec::new(),
        };
        for symbol in file.symbols() {
            // The lowest bit of an address marks Thumb code.
            let start = symbol.address() as u32 & !1;
            elf.functions.push((symbol.name()?.into(), start..start + symbol.size() as u32));
        }
        Ok(elf)
    }

    /// Bytes of flash: code, constants, and the initial values of statics.
    pub fn flash(&self) -> u32 {
        self.content.bytes().count() as u32
    }

    /// Bytes of static RAM.
    pub fn ram(&self) -> u32 {
        self.ram
    }

    /// The halfword of code at an address.
    pub fn code(&self, address: u32) -> Option<u16> {
        Some(u16::from_le_bytes(*self.content.get(address, 2)?.first_chunk()?))
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
