//! The ring of slots, on a place in RAM whose accesses fail on demand.

use std::cell::{Cell, RefCell};

use checkpoint_ring::{Checkpoints, PIECE, Place, StoreError};

const SLOTS: usize = 4;
const PIECES: usize = 3;

#[derive(Default)]
struct Ram {
    pieces: RefCell<[[[u8; PIECE]; PIECES]; SLOTS]>,
    /// Accesses until one fails.
    fails: Cell<Option<usize>>,
    /// Accesses until one reads something else.
    disturbs: Cell<Option<usize>>,
    /// All bytes that it reads then; one other bit if this is not given.
    nonsense: Cell<Option<u8>>,
    /// Slots are written only while they are blank, as in flash.
    once: bool,
}

fn is_now(left: &Cell<Option<usize>>) -> bool {
    let now = left.get() == Some(0);
    left.set(left.get().and_then(|left| left.checked_sub(1)));
    now
}

impl Place for &Ram {
    fn slots(&self) -> usize {
        SLOTS
    }

    fn pieces(&self) -> usize {
        PIECES
    }

    fn read(&mut self, slot: usize, piece: usize, bytes: &mut [u8; PIECE]) -> Result<(), StoreError> {
        *bytes = self.pieces.borrow()[slot][piece];
        if is_now(&self.disturbs) {
            match self.nonsense.get() {
                Some(byte) => bytes.fill(byte),
                None => bytes[9] ^= 4,
            }
        }
        if is_now(&self.fails) { Err(StoreError::Silent) } else { Ok(()) }
    }

    fn claim(&mut self, slot: usize, keep: Option<usize>) -> Result<bool, StoreError> {
        assert_ne!(Some(slot), keep, "the newest checkpoint is to be overwritten");
        let is_blank = self.pieces.borrow()[slot] == [[0; PIECE]; PIECES];
        Ok(is_blank || !self.once)
    }

    fn write(&mut self, slot: usize, piece: usize, bytes: &[u8; PIECE]) -> Result<(), StoreError> {
        if is_now(&self.fails) {
            return Err(StoreError::Silent);
        }
        self.pieces.borrow_mut()[slot][piece] = *bytes;
        Ok(())
    }
}

fn newest(ram: &Ram) -> Option<(u32, Vec<u8>)> {
    let mut buffer = [0; PIECE * PIECES];
    let mut checkpoints = Checkpoints::new(ram);
    let found = checkpoints.newest(&mut buffer).unwrap();
    found.map(|found| (found.sequence, found.bytes.to_vec()))
}

#[test]
fn a_number_is_not_used_twice_even_if_reading_back_fails() {
    for once in [false, true] {
        let ram = Ram { once, ..Ram::default() };
        let mut checkpoints = Checkpoints::new(&ram);
        assert_eq!(checkpoints.store(&[1; 60]), Ok(1));
        // Three writes succeed, so the record is complete.
        ram.fails.set(Some(3));
        assert_eq!(checkpoints.store(&[2; 60]), Err(StoreError::Silent));
        assert_eq!(newest(&ram), Some((2, vec![2; 60])));
        assert_eq!(checkpoints.store(&[3; 60]), Ok(3));
        assert_eq!(newest(&ram), Some((3, vec![3; 60])));
    }
}

#[test]
fn whichever_access_fails_the_newest_stays() {
    for access in 0..6 {
        let ram = Ram::default();
        let mut checkpoints = Checkpoints::new(&ram);
        assert_eq!(checkpoints.store(&[1; 60]), Ok(1));
        for attempt in 0..3 * SLOTS as u32 {
            ram.fails.set(Some(access));
            assert_eq!(checkpoints.store(&[2; 60]), Err(StoreError::Silent));
            let expected = if access < 3 { (1, vec![1; 60]) } else { (2 + attempt, vec![2; 60]) };
            assert_eq!(newest(&ram), Some(expected));
        }
        ram.fails.set(None);
        assert_eq!(checkpoints.store(&[3; 60]), Ok(2 + 3 * SLOTS as u32));
    }
}

#[test]
fn nonsense_on_the_bus_costs_nothing() {
    let ram = Ram::default();
    let mut checkpoints = Checkpoints::new(&ram);
    for n in 1..=3 {
        assert_eq!(checkpoints.store(&[n as u8; 60]), Ok(n));
    }
    // Also if it makes a slot look blank. 3 records of 3 pieces, an empty slot, and the newest again.
    for nonsense in [None, Some(0), Some(0xff), Some(0x7f)] {
        ram.nonsense.set(nonsense);
        for access in 0..13 {
            ram.disturbs.set(Some(access));
            assert_eq!(newest(&ram), Some((3, vec![3; 60])), "access {access}");
        }
    }
    // In reading back.
    ram.disturbs.set(Some(2));
    assert_eq!(checkpoints.store(&[4; 60]), Err(StoreError::NotKept));
    assert_eq!(checkpoints.store(&[5; 60]), Ok(5));
    assert_eq!(newest(&ram), Some((5, vec![5; 60])));
}

#[test]
fn a_boot_that_cannot_read_tells_so_and_the_next_can() {
    let ram = Ram::default();
    let mut checkpoints = Checkpoints::new(&ram);
    assert_eq!(checkpoints.store(&[1; 60]), Ok(1));
    for access in 0..9 {
        ram.fails.set(Some(access));
        assert_eq!(checkpoints.newest(&mut [0; 60]), Err(StoreError::Silent), "access {access}");
        assert_eq!(newest(&ram), Some((1, vec![1; 60])));
    }
}
