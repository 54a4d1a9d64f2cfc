#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod body;
mod error;
mod graph;
pub mod instruction;
mod memory;
mod panics;
mod registers;
mod stack;
mod thumb16;
mod thumb32;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use object::elf::EF_ARM_ABI_FLOAT_HARD;
use object::{FileFlags, Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};

pub use error::Error;
pub use stack::{ASSUMPTION, Bound, Handler};

use body::{Body, Call};
use memory::Memory;

/// The decoded code of a linked image.
#[derive(Debug)]
pub struct Audit {
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

impl Audit {
    /// Reads and decodes a file.
    ///
    /// # Errors
    /// If the file cannot be read, or contains code that cannot be decoded.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::of_elf(&fs::read(path)?)
    }

    /// Decodes the bytes of an ELF file.
    ///
    /// # Errors
    /// If it is none, or contains code that cannot be decoded.
    pub fn of_elf(elf: &[u8]) -> Result<Self, Error> {
        let file = object::File::parse(elf)?;
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
        if memory.relocated.is_empty() {
            return Err(Error::Missing("linked without --emit-relocs"));
        }
        if vectors.len() < 16 {
            return Err(Error::Missing("no table of exception handlers in a section `.vector_table`"));
        }

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

        let end = file.symbols().find(|symbol| symbol.name() == Ok("_stack_end"));
        let end = end.ok_or(Error::Missing("no symbol `_stack_end`"))?.address() as u32;
        let stack_size = vectors.first().map_or(0, |start| start.saturating_sub(end));

        let starts: BTreeSet<u32> = names.keys().copied().collect();
        let mut functions = BTreeMap::new();
        for (start, (name, size)) in names {
            let end = match size {
                // Assembly without a size ends where the next function begins.
                0 => starts.range(start + 1..).next().copied().unwrap_or(start),
                size => start + size,
            };
            let name = format!("{:#}", rustc_demangle::demangle(&name));
            match Body::of(&memory, start..end, &vectors) {
                Ok(body) => functions.insert(start, Function { name, body }),
                Err((address, why)) => return Err(Error::Code { function: name, address, why }),
            };
        }
        let has_fpu = matches!(file.flags(), FileFlags::Elf { e_flags, .. } if e_flags & EF_ARM_ABI_FLOAT_HARD != 0);
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

    fn calls(&self, start: u32) -> impl Iterator<Item = &Call> {
        self.functions.get(&start).into_iter().flat_map(|function| &function.body.calls)
    }

    /// The functions that a call may lead to.
    fn targets(&self, call: &Call) -> BTreeSet<u32> {
        call.to.map_or_else(|| self.pointed_at.clone(), |to| BTreeSet::from([to]))
    }

    /// The functions that a function may call next.
    fn callees(&self, start: u32) -> BTreeSet<u32> {
        self.calls(start).flat_map(|call| self.targets(call)).collect()
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
