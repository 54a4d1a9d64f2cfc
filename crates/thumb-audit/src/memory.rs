//! What is in flash, and what the linker says about it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What is in flash.
pub(crate) struct Memory {
    pub(crate) sections: Vec<(u32, Vec<u8>)>,
    /// Where code and data begin inside the sections of code: true for code.
    pub(crate) marks: BTreeMap<u32, bool>,
    /// Where the linker has put addresses of functions and data: words, and halves of them in instructions.
    pub(crate) relocated: BTreeSet<u32>,
}

impl Memory {
    pub(crate) fn bytes<const N: usize>(&self, address: u32) -> Option<[u8; N]> {
        self.sections.iter().find_map(|(start, bytes)| {
            let at = address.checked_sub(*start)? as usize;
            bytes.get(at..)?.first_chunk().copied()
        })
    }

    pub(crate) fn halfword(&self, address: u32) -> Option<u16> {
        self.bytes(address).map(u16::from_le_bytes)
    }

    pub(crate) fn word(&self, address: u32) -> Option<u32> {
        self.bytes(address).map(u32::from_le_bytes)
    }

    pub(crate) fn is_code(&self, address: u32) -> bool {
        self.marks.range(..=address).next_back().is_some_and(|(_, code)| *code)
    }

    /// The parts of a range that are code.
    pub(crate) fn code(&self, range: Range<u32>) -> Vec<Range<u32>> {
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
