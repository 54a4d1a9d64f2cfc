//! A ring of slots, of which the newest complete one counts.

use crate::record::{self, Content, Record};
use crate::{PIECE, Place, StoreError};

/// How often a slot is read before it counts as damaged or blank. A disturbed bus must not cost a checkpoint.
const READS: usize = 2;

/// The checkpoints in a place.
#[derive(Debug)]
pub struct Checkpoints<P> {
    place: P,
    ring: Option<Ring>,
}

/// A checkpoint that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint<'b> {
    /// Its sequence number, from 1: how often something was stored in the life of the part, until it wraps.
    pub sequence: u32,
    /// What was stored.
    pub bytes: &'b [u8],
    /// The number of slots that hold something unreadable: one after a torn write, more in a failing part.
    pub damaged: u32,
}

/// What is known of the slots.
#[derive(Clone, Copy, Debug)]
struct Ring {
    /// The slot of the newest complete record. It is not written.
    newest: Option<usize>,
    /// The sequence number of the next attempt. No number is used twice, not even after a failure: a record that could
    /// not be read back may be complete all the same.
    next: u32,
    /// Slots to pass over, because they did not keep what was written.
    skip: usize,
    damaged: u32,
}

impl<P: Place> Checkpoints<P> {
    /// The checkpoints of this place. Reads nothing yet.
    pub const fn new(place: P) -> Self {
        Self { place, ring: None }
    }

    /// At boot: the newest complete checkpoint, copied to the buffer. None if there is not any.
    ///
    /// Reads every piece of every slot at most twice, and those of the newest twice more.
    ///
    /// # Errors
    /// [`StoreError::Silent`] if the part does not answer, [`StoreError::TooLong`] if the checkpoint does not fit into
    /// the buffer, [`StoreError::NotKept`] if it cannot be read twice in a row.
    pub fn newest<'b>(&mut self, buffer: &'b mut [u8]) -> Result<Option<Checkpoint<'b>>, StoreError> {
        Slots { place: &mut self.place, ring: &mut self.ring }.newest(buffer)
    }

    /// The number of slots that held something unreadable at boot, also if there was no complete checkpoint.
    pub fn damaged(&self) -> u32 {
        self.ring.map_or(0, |ring| ring.damaged)
    }

    /// Stores a checkpoint in place of the oldest, reads it back, and returns its sequence number.
    ///
    /// Writes and reads every piece of the record once. (The first time, looks for the newest one before, as at boot.)
    ///
    /// # Errors
    /// [`StoreError`]; whichever it is, the newest complete checkpoint is still there.
    pub fn store(&mut self, bytes: &[u8]) -> Result<u32, StoreError> {
        Slots { place: &mut self.place, ring: &mut self.ring }.store(bytes)
    }
}

/// The same for any place: compiled once, in this crate, however many places a program has.
struct Slots<'c> {
    place: &'c mut dyn Place,
    ring: &'c mut Option<Ring>,
}

impl Slots<'_> {
    #[inline(never)]
    fn newest<'b>(&mut self, buffer: &'b mut [u8]) -> Result<Option<Checkpoint<'b>>, StoreError> {
        *self.ring = None;
        let ring = self.look()?;
        let Some(slot) = ring.newest else { return Ok(None) };
        let Content::Complete { sequence, length } = self.read(slot, buffer)? else {
            return Err(StoreError::NotKept);
        };
        let bytes = buffer.get(..length).ok_or(StoreError::TooLong)?;
        Ok(Some(Checkpoint { sequence, bytes, damaged: ring.damaged }))
    }

    #[inline(never)]
    fn store(&mut self, bytes: &[u8]) -> Result<u32, StoreError> {
        let ring = match *self.ring {
            Some(ring) => ring,
            None => self.look()?,
        };
        let sequence = ring.next;
        let record = Record::new(sequence, bytes)?;
        if record.pieces() > self.place.pieces() {
            return Err(StoreError::TooLong);
        }
        let slot = self.claim(ring)?;
        *self.ring = Some(Ring { next: sequence.wrapping_add(1), ..ring });
        for index in 0..record.pieces() {
            self.place.write(slot, index, &record.piece(index))?;
        }
        for index in 0..record.pieces() {
            let mut kept = [0; PIECE];
            self.place.read(slot, index, &mut kept)?;
            if kept != record.piece(index) {
                *self.ring = self.ring.map(|ring| Ring { skip: ring.skip.wrapping_add(1), ..ring });
                return Err(StoreError::NotKept);
            }
        }
        *self.ring = self.ring.map(|ring| Ring { newest: Some(slot), skip: 0, ..ring });
        Ok(sequence)
    }

    /// Looks at every slot.
    fn look(&mut self) -> Result<Ring, StoreError> {
        let mut ring = Ring { newest: None, next: 1, skip: 0, damaged: 0 };
        for slot in 0..self.place.slots() {
            match self.read(slot, &mut [])? {
                Content::Blank => {}
                Content::Damaged => ring.damaged = ring.damaged.saturating_add(1),
                Content::Complete { sequence, .. } => {
                    let after = sequence.wrapping_add(1);
                    // Sequence numbers wrap, so they are compared by their distance.
                    if ring.newest.is_none() || after.wrapping_sub(ring.next).cast_signed() > 0 {
                        ring = Ring { newest: Some(slot), next: after, ..ring };
                    }
                }
            }
        }
        *self.ring = Some(ring);
        Ok(ring)
    }

    fn read(&mut self, slot: usize, buffer: &mut [u8]) -> Result<Content, StoreError> {
        let mut content = Content::Damaged;
        for _ in 0..READS {
            content = record::read(self.place, slot, buffer)?;
            if matches!(content, Content::Complete { .. }) {
                break;
            }
        }
        Ok(content)
    }

    /// The first slot after the newest that can be written.
    fn claim(&mut self, ring: Ring) -> Result<usize, StoreError> {
        let slots = self.place.slots();
        let first = ring.newest.map_or(0, |newest| newest.saturating_add(1));
        let count = slots.saturating_sub(usize::from(ring.newest.is_some()));
        let skip = ring.skip.checked_rem(count).ok_or(StoreError::NoPlace)?;
        for ahead in (skip..count).chain(0..skip) {
            let slot = first.saturating_add(ahead).checked_rem(slots).ok_or(StoreError::NoPlace)?;
            if self.place.claim(slot, ring.newest)? {
                return Ok(slot);
            }
        }
        Err(StoreError::NotKept)
    }
}
