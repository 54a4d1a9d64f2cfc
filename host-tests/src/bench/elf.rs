//! As much of an ELF file as a bench needs: what its sections take, where a function is, and its code.

use std::path::Path;

use anyhow::{Context, Result, ensure};

/// A 32-bit little-endian ELF file.
pub struct Elf {
    bytes: Vec<u8>,
    sections: Vec<Section>,
}

struct Section {
    kind: u32,
    flags: u32,
    address: u32,
    offset: u32,
    size: u32,
    link: u32,
}

const PROGRAM_DATA: u32 = 1;
const SYMBOLS: u32 = 2;
const NO_DATA: u32 = 8;
const WRITABLE: u32 = 1;
const LOADED: u32 = 2;

impl Elf {
    /// Reads a file.
    ///
    /// # Errors
    /// Where it is not there, or no such file.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        ensure!(bytes.starts_with(b"\x7fELF\x01\x01"), "{} is no ELF file for a 32-bit core", path.display());
        let (table, count) = (word(&bytes, 0x20)? as usize, half(&bytes, 0x30)? as usize);
        let section = |i: usize| {
            let field = |n: usize| word(&bytes, table + i * 40 + n * 4);
            Ok(Section {
                kind: field(1)?,
                flags: field(2)?,
                address: field(3)?,
                offset: field(4)?,
                size: field(5)?,
                link: field(6)?,
            })
        };
        let sections = (0..count).map(section).collect::<Result<_>>()?;
        Ok(Self { bytes, sections })
    }

    /// Bytes that are in flash: code, constants, and what initialised statics start from.
    pub fn flash(&self) -> u32 {
        self.sections.iter().filter(|s| s.kind == PROGRAM_DATA && s.flags & LOADED != 0).map(|s| s.size).sum()
    }

    /// Bytes of static RAM.
    pub fn ram(&self) -> u32 {
        let held = |s: &&Section| s.flags & (LOADED | WRITABLE) == LOADED | WRITABLE;
        self.sections.iter().filter(held).map(|s| s.size).sum()
    }

    /// The halfword of code at an address.
    pub fn code(&self, address: u32) -> Option<u16> {
        let holds = |s: &&Section| {
            s.kind != NO_DATA && s.flags & LOADED != 0 && (s.address..s.address + s.size).contains(&address)
        };
        let section = self.sections.iter().find(holds)?;
        half(&self.bytes, (section.offset + address - section.address) as usize).ok()
    }

    /// Where the first function whose name contains `name` begins and ends.
    ///
    /// # Errors
    /// Where there is none.
    pub fn function(&self, name: &str) -> Result<std::ops::Range<u32>> {
        for table in self.sections.iter().filter(|s| s.kind == SYMBOLS) {
            let names = self.sections.get(table.link as usize).context("a symbol table without names")?;
            for entry in (table.offset..table.offset + table.size).step_by(16) {
                let at = (names.offset + word(&self.bytes, entry as usize)?) as usize;
                let text = self.bytes[at..].split(|&byte| byte == 0).next().unwrap_or_default();
                if String::from_utf8_lossy(text).contains(name) {
                    // The lowest bit tells that it is Thumb code.
                    let start = word(&self.bytes, entry as usize + 4)? & !1;
                    return Ok(start..start + word(&self.bytes, entry as usize + 8)?);
                }
            }
        }
        anyhow::bail!("the binary has no function `{name}`")
    }
}

fn word(bytes: &[u8], at: usize) -> Result<u32> {
    let four = bytes.get(at..at + 4).context("the ELF file ends too early")?;
    Ok(u32::from_le_bytes(four.try_into()?))
}

fn half(bytes: &[u8], at: usize) -> Result<u16> {
    let two = bytes.get(at..at + 2).context("the ELF file ends too early")?;
    Ok(u16::from_le_bytes(two.try_into()?))
}
