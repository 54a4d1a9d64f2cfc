//! Whether an image can start and run on its board, from the ELF file and the facts of the chip alone.
//!
//! No board is needed for this, and none has the last word: it finds what is certain to fail.

mod boot;
mod memory;
mod stack;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

use anyhow::Result;
pub use thumb_audit::ASSUMPTION;

use self::memory::Memory;
pub use self::stack::Stack;
use super::boards::Board;
use super::image_files::Content;

/// What an image needs, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Bytes of flash: code, constants, and the initial values of statics.
    pub flash: u32,
    /// Bytes of RAM for statics.
    pub ram: u32,
    /// How deep the stack gets.
    pub stack: Stack,
    /// What is wrong and where, a line each; empty if the image is fine.
    pub complaints: Vec<String>,
}

/// Checks an ELF file for its board.
///
/// # Errors
/// If this is no ELF file that loads anything; everything else is a complaint in the report.
pub fn check(board: &Board, elf: &[u8]) -> Result<Report> {
    Ok(report(board, &Content::of_elf(elf)?, &Memory::of_elf(elf)?, Stack::of_elf(elf)))
}

fn report(board: &Board, content: &Content, memory: &Memory, stack: Stack) -> Report {
    let mut complaints = memory.complaints(board);
    complaints.extend(boot::complaints(board, content));
    complaints.extend(stack.complaints(board, memory));
    let (flash, ram) = (content.bytes().count() as u32, memory.statics(board));
    for (what, bytes, most) in [("flash", flash, board.most_flash), ("RAM for statics", ram, board.most_ram)] {
        if let Some(most) = most.filter(|most| bytes > *most) {
            complaints.push(format!("{bytes} bytes of {what}: the budget of {} is {most}", board.name));
        }
    }
    Report { flash, ram, stack, complaints }
}

/// Addresses, for a complaint.
struct Span(Range<u64>);

impl Span {
    fn new(start: u32, bytes: u64) -> Self {
        Self(u64::from(start)..u64::from(start) + bytes)
    }

    fn is_within(&self, start: u32, end: u32) -> bool {
        self.0.start >= u64::from(start) && self.0.end <= u64::from(end)
    }

    fn overlaps(&self, start: u32, end: u32) -> bool {
        self.0.start < u64::from(end) && u64::from(start) < self.0.end
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x} to {:#010x}", self.0.start, self.0.end.saturating_sub(1))
    }
}
