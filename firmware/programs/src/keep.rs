//! Stores one checkpoint after another, to be interrupted at any time.

use osculate::Random;
use serde::{Deserialize, Serialize};

use osculate_apps::failure::{Failure, Result};
use osculate_apps::store::Keeper;

use crate::report::Report;

/// The most bytes of a checkpoint.
pub const BYTES: usize = 480;

/// What a boot has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The number of the newest complete checkpoint; 0 if there is none.
    pub sequence: u32,
    /// Whether its contents are those that were stored under this number.
    pub is_intact: bool,
    /// Places with something incomplete.
    pub damaged: u32,
}

/// The contents of a checkpoint: other bytes, and another number of them, for every number.
pub fn contents(sequence: u32, buffer: &mut [u8; BYTES]) -> &[u8] {
    let mut random = Random::new(sequence.into());
    let length = 1 + random.below(BYTES as u32) as usize;
    let bytes = buffer.get_mut(..length).unwrap_or_default();
    bytes.iter_mut().for_each(|byte| *byte = random.below(256) as u8);
    bytes
}

/// Reports what it finds, then stores this many checkpoints.
///
/// # Errors
/// [`Failure`] if one is not stored.
pub fn run(keeper: &mut impl Keeper, count: u32, mut tell: impl FnMut(&Report)) -> Result<()> {
    let (mut buffer, mut expected) = ([0; BYTES], [0; BYTES]);
    let newest = keeper.newest(&mut buffer).map_err(|_| Failure("the store cannot be read"))?;
    let found = newest.map_or(Found { sequence: 0, is_intact: true, damaged: 0 }, |newest| Found {
        sequence: newest.sequence,
        is_intact: newest.bytes == contents(newest.sequence, &mut expected),
        damaged: newest.damaged,
    });
    tell(&Report::Found(found));
    for sequence in (0..count).map(|i| found.sequence.wrapping_add(i + 1)) {
        let stored = keeper.store(contents(sequence, &mut buffer));
        tell(&Report::Stored(stored));
        if stored != Ok(sequence) {
            return Err(Failure("a checkpoint was not stored"));
        }
    }
    Ok(())
}
