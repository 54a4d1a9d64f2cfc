//! Reads checkpoints from the contents of a flash chip, by docs/checkpoint-format.md and not by the code that wrote them.

use osculate_host_tests::crc::crc;

/// Erased together.
const SECTOR: usize = 4096;

/// A complete checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) sequence: u32,
    pub(crate) bytes: Vec<u8>,
}

/// Every complete checkpoint, in the order of their numbers. `most` is the most bytes of one.
pub(crate) fn all(store: &[u8], most: usize) -> Vec<Found> {
    let slot = (most + 12).next_multiple_of(32);
    let slots = store.chunks(SECTOR).flat_map(|sector| sector.chunks_exact(slot));
    let mut found: Vec<_> = slots.filter_map(complete).collect();
    found.sort_by_key(|found| found.sequence);
    found
}

fn complete(slot: &[u8]) -> Option<Found> {
    let word = |at: usize| Some(u32::from_le_bytes(slot.get(at..at + 4)?.try_into().ok()?));
    let (sequence, length) = (word(0)?, word(4)? as usize);
    let end = length.checked_add(8).filter(|end| *end < slot.len())?;
    (word(end)? == crc(&slot[..end])).then(|| Found { sequence, bytes: slot[8..end].to_vec() })
}
