//! Where the parts of an image are: loaded to flash, but not to the checkpoints' part of it, and used in flash or RAM.

use anyhow::{Context, Result};
use object::elf::{PT_LOAD, SHF_ALLOC, SHT_NOBITS};
use object::read::elf::{ElfFile32, ProgramHeader, SectionHeader};
use object::{LittleEndian, Object, ObjectSection};

use super::Span;
use crate::boards::Board;

/// The parts of an image that take memory on the chip.
pub(super) struct Memory {
    pub(super) parts: Vec<Part>,
}

pub(super) struct Part {
    pub(super) name: String,
    pub(super) bytes: u32,
    /// Where it is used.
    pub(super) address: u32,
    /// Where it is stored until then; `None` for what has no initial value.
    pub(super) stored: Option<u32>,
}

impl Memory {
    pub(super) fn of_elf(elf: &[u8]) -> Result<Self> {
        let file = ElfFile32::<LittleEndian>::parse(elf).context("no ELF file of a 32-bit, little-endian core")?;
        let loaded = file.elf_program_headers().iter().filter(|segment| segment.p_type(LittleEndian) == PT_LOAD);
        let loaded: Vec<_> = loaded.filter(|segment| segment.p_filesz(LittleEndian) > 0).collect();
        let stored_at = |offset: u32| {
            loaded.iter().find_map(|segment| {
                let at = offset.checked_sub(segment.p_offset(LittleEndian))?;
                let start = segment.p_paddr(LittleEndian);
                (at < segment.p_filesz(LittleEndian)).then(|| start.wrapping_add(at))
            })
        };
        let mut parts = Vec::new();
        for section in file.sections().filter(|section| section.size() > 0) {
            let header = section.elf_section_header();
            let is_empty = header.sh_type(LittleEndian) == SHT_NOBITS;
            let stored = if is_empty { None } else { stored_at(header.sh_offset(LittleEndian)) };
            if header.sh_flags(LittleEndian) & SHF_ALLOC != 0 && (is_empty || stored.is_some()) {
                let name = section.name().context("a section without a name")?.to_owned();
                let (bytes, address) = (section.size() as u32, header.sh_addr(LittleEndian));
                parts.push(Part { name, bytes, address, stored });
            }
        }
        if parts.is_empty() {
            // A file without a list of sections loads all the same.
            parts.extend(loaded.iter().map(|segment| {
                let (address, start) = (segment.p_vaddr(LittleEndian), segment.p_paddr(LittleEndian));
                let name = format!("(loaded to {start:#010x})");
                Part { name, bytes: segment.p_filesz(LittleEndian), address, stored: Some(start) }
            }));
        }
        Ok(Self { parts })
    }

    /// Bytes of RAM.
    pub(super) fn statics(&self, board: &Board) -> u32 {
        let inside = self.parts.iter().filter(|part| part.used().overlaps(board.ram.start, board.ram.end()));
        inside.map(|part| part.bytes).sum()
    }

    /// The names of the parts that use some of these addresses.
    pub(super) fn inside(&self, start: u32, end: u32) -> impl Iterator<Item = &str> {
        self.parts.iter().filter(move |part| part.used().overlaps(start, end)).map(|part| part.name.as_str())
    }

    pub(super) fn complaints(&self, board: &Board) -> Vec<String> {
        let (program, ram) = (board.program(), board.ram);
        let region = |start, bytes: u32| Span::new(start, bytes.into());
        let mut complaints = Vec::new();
        for part in &self.parts {
            if let Some(stored) = part.stored {
                let span = region(stored, part.bytes);
                if span.overlaps(program.end(), board.flash.end()) {
                    let store = region(program.end(), board.store);
                    complaints.push(format!("{} is loaded to {span}: {store} is kept for checkpoints", part.name));
                } else if !span.is_within(program.start, program.end()) {
                    let flash = region(board.flash.start, board.flash.bytes);
                    complaints.push(format!("{} is loaded to {span}: the flash is {flash}", part.name));
                }
            }
            if part.stored != Some(part.address) && !part.used().is_within(ram.start, ram.end()) {
                let (span, ram) = (part.used(), region(ram.start, ram.bytes));
                complaints.push(format!("{} is at {span}: the RAM is {ram}", part.name));
            }
        }
        complaints
    }
}

impl Part {
    fn used(&self) -> Span {
        Span::new(self.address, self.bytes.into())
    }
}
