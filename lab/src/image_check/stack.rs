//! Whether the RAM that is left is enough for the stack.

use std::collections::BTreeSet;

use thumb_audit::Audit;

use super::memory::Memory;
use crate::boards::Board;

/// How deep the stack gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stack {
    /// A bound, with every exception that can be open at once.
    Known {
        /// In bytes.
        bytes: u32,
        /// Bytes from the stack's start to its end.
        available: u32,
        /// The address after its first byte.
        start: u32,
        /// The functions that it assumes something about: see [`Bound::assumed`](thumb_audit::Bound::assumed).
        assumed: BTreeSet<String>,
    },
    /// The code cannot be followed everywhere, for the reason given. That is no fault of the image.
    Unknown(String),
}

impl Stack {
    pub(super) fn of_elf(elf: &[u8]) -> Self {
        let known = Audit::of_elf(elf).and_then(|audit| {
            let (start, available) = (audit.stack_start(), audit.stack_size());
            Ok(Stack::Known { bytes: audit.stack_with_exceptions()?, available, start, assumed: audit.assumed()? })
        });
        known.unwrap_or_else(|error| Stack::Unknown(error.to_string()))
    }

    pub(super) fn complaints(&self, board: &Board, memory: &Memory) -> Vec<String> {
        let Stack::Known { bytes, available, start, .. } = *self else { return Vec::new() };
        let mut complaints = Vec::new();
        if bytes > available {
            complaints.push(format!("the stack gets {bytes} bytes deep: there are {available}"));
        }
        let end = start.saturating_sub(available);
        if end < board.ram.start {
            complaints.push(format!("the stack ends at {end:#010x}: the RAM begins at {:#010x}", board.ram.start));
        }
        let statics = memory.inside(end, start);
        complaints.extend(statics.map(|name| format!("{name} is inside the stack, {end:#010x} to {start:#010x}")));
        complaints
    }
}
