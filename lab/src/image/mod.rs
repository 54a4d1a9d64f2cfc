//! The machine code of a linked firmware: who calls whom, and how deep the stack gets.
//!
//! Everything is read from the ELF file alone, instruction by instruction, so it holds for what runs on the device and
//! not for what a compiler was asked to do. What cannot be decoded or followed is an error with its address.

mod body;
mod calls;
mod components;
mod instruction;
mod registers;
mod stack;
mod thumb16;
mod thumb32;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use object::elf::EF_ARM_ABI_FLOAT_HARD;
use object::{FileFlags, Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};

pub use self::stack::{ASSUMPTION, Bound, Handler};

use self::body::Body;

/// The code of a firmware.
#[derive(Debug)]
pub struct Image {
    /// By their start.
    functions: BTreeMap<u32, Function>,
    /// The starts of the functions whose address is data somewhere: an indirect call may reach each of them.
    pointed_at: BTreeSet<u32>,
    /// The initial stack pointer and the addresses of the handlers.
    vectors: Vec<u32>,
    /// Whether an exception saves the floating-point registers, too.
    has_fpu: bool,
    stack_size: u32,
}

#[derive(Debug)]
struct Function {
    name: String,
    body: Body,
}

/// What is in flash.
struct Memory {
    sections: Vec<(u32, Vec<u8>)>,
    /// Where code and data begin inside the sections of code: true for code.
    marks: BTreeMap<u32, bool>,
    /// Where the linker has put addresses of functions and data: words, and halves of them in instructions.
    relocated: BTreeSet<u32>,
}

impl Image {
    /// Reads and decodes a file.
    ///
    /// # Errors
    /// If the file cannot be read, or contains code that cannot be decoded.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::of_elf(&bytes).with_context(|| path.display().to_string())
    }

    /// Decodes the bytes of an ELF file.
    ///
    /// # Errors
    /// If it is none, or contains code that cannot be decoded.
    pub fn of_elf(elf: &[u8]) -> Result<Self> {
        let file = object::File::parse(elf).context("no ELF file")?;
        let mut memory = Memory { sections: Vec::new(), marks: BTreeMap::new(), relocated: BTreeSet::new() };
        let mut vectors = Vec::new();
        for section in file.sections() {
            let data = section.data()?.to_vec();
            let kept = matches!(
                section.kind(),
                SectionKind::Text | SectionKind::ReadOnlyData | SectionKind::ReadOnlyString | SectionKind::Data
            );
            if section.name()? == ".vector_table" {
                vectors = words(&data).collect();
            } else if kept && section.address() != 0 {
                memory.sections.push((section.address() as u32, data));
                memory.relocated.extend(section.relocations().map(|(address, _)| address as u32));
            }
        }
        ensure!(!memory.relocated.is_empty(), "linked without --emit-relocs");
        ensure!(vectors.len() >= 16, "no table of exception handlers");

        let mut names = BTreeMap::<u32, (String, u32)>::new();
        for symbol in file.symbols() {
            let (name, address) = (symbol.name()?, symbol.address() as u32);
            match name.split('.').next() {
                Some("$t") => _ = memory.marks.insert(address, true),
                Some("$d") => _ = memory.marks.insert(address, false),
                _ if symbol.kind() == SymbolKind::Text && symbol.section_index().is_some() => {
                    let entry = names.entry(address & !1).or_default();
                    // Several names for one function: the shortest is the one without decoration.
                    if entry.0.is_empty() || name.len() < entry.0.len() {
                        entry.0 = name.into();
                    }
                    entry.1 = entry.1.max(symbol.size() as u32);
                }
                _ => {}
            }
        }

        let end = file.symbols().find(|symbol| symbol.name() == Ok("_stack_end")).context("no end of the stack")?;
        let stack_size = vectors.first().map_or(0, |start| start.saturating_sub(end.address() as u32));

        let starts: BTreeSet<u32> = names.keys().copied().collect();
        let mut functions = BTreeMap::new();
        for (start, (name, size)) in names {
            let end = match size {
                // Assembly without a size ends where the next function begins.
                0 => starts.range(start + 1..).next().copied().unwrap_or(start),
                size => start + size,
            };
            let name = format!("{:#}", rustc_demangle::demangle(&name));
            let body = Body::of(&memory, start..end, &vectors).with_context(|| format!("in `{name}`"))?;
            functions.insert(start, Function { name, body });
        }
        let FileFlags::Elf { e_flags, .. } = file.flags() else { bail!("no ELF file") };
        let has_fpu = e_flags & EF_ARM_ABI_FLOAT_HARD != 0;
        let pointed_at = pointers(&memory, &functions);
        Ok(Self { functions, pointed_at, vectors, has_fpu, stack_size })
    }

    /// The names of all functions, without the hashes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.functions.values().map(|function| function.name.as_str())
    }

    /// The address after the stack's first byte: the initial stack pointer.
    pub fn stack_start(&self) -> u32 {
        self.vectors.first().copied().unwrap_or(0)
    }

    /// Bytes of RAM between the stack's start and its end.
    pub fn stack_size(&self) -> u32 {
        self.stack_size
    }

    fn name(&self, start: u32) -> &str {
        self.functions.get(&start).map_or("(code without a name)", |function| &function.name)
    }

    /// Where the core begins, and every handler.
    fn roots(&self) -> impl Iterator<Item = u32> {
        self.vectors.iter().skip(1).filter(|address| **address != 0).map(|address| address & !1)
    }
}

impl Memory {
    fn bytes<const N: usize>(&self, address: u32) -> Option<[u8; N]> {
        self.sections.iter().find_map(|(start, bytes)| {
            let at = address.checked_sub(*start)? as usize;
            bytes.get(at..)?.first_chunk().copied()
        })
    }

    fn halfword(&self, address: u32) -> Option<u16> {
        self.bytes(address).map(u16::from_le_bytes)
    }

    fn word(&self, address: u32) -> Option<u32> {
        self.bytes(address).map(u32::from_le_bytes)
    }

    fn is_code(&self, address: u32) -> bool {
        self.marks.range(..=address).next_back().is_some_and(|(_, code)| *code)
    }

    /// The parts of a range that are code.
    fn code(&self, range: Range<u32>) -> Vec<Range<u32>> {
        let mut parts = Vec::new();
        let mut start = range.start;
        while start < range.end {
            let end = self.marks.range(start + 1..range.end).next().map_or(range.end, |(mark, _)| *mark);
            if self.is_code(start) {
                parts.push(start..end);
            }
            start = end;
        }
        parts
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.chunks_exact(4).filter_map(|word| word.first_chunk().copied()).map(u32::from_le_bytes)
}

/// The functions whose address (odd: Thumb) the linker has put into data, into a pool of literals, or into instructions.
fn pointers(memory: &Memory, functions: &BTreeMap<u32, Function>) -> BTreeSet<u32> {
    let words =
        memory.relocated.iter().filter(|address| !memory.is_code(**address) || !in_function(functions, **address));
    let words = words.filter_map(|address| memory.word(*address));
    let made = functions.values().flat_map(|function| function.body.pointers.iter().copied());
    let odd = words.chain(made).filter(|word| word % 2 == 1).map(|word| word - 1);
    odd.filter(|start| functions.contains_key(start)).collect()
}

fn in_function(functions: &BTreeMap<u32, Function>, address: u32) -> bool {
    functions.range(..=address).next_back().is_some_and(|(_, function)| address < function.body.range.end)
}
