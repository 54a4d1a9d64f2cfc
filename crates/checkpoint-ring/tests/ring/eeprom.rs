//! An EEPROM that is empty, full of garbage, absent, busy, protected, or worn.

use checkpoint_ring::models::{Part, TornEeprom};
use checkpoint_ring::{Eeprom, Place, StoreError};
use embedded_hal::delay::DelayNs;

use crate::{boots, random};

struct NoTime;

impl DelayNs for NoTime {
    fn delay_ns(&mut self, _: u32) {}
}

type Small = TornEeprom<300>;
const SLOTS: usize = 256 / 10;

#[test]
fn nothing_boots_from_garbage_and_it_is_told() {
    let mut part = Small::new(1);
    let mut random = random();
    part.cells().fill_with(|| random() as u8);
    // Plausible lengths, so that all of each slot is read.
    for slot in part.cells().chunks_exact_mut(320) {
        slot[4..8].copy_from_slice(&300_u32.to_le_bytes());
    }
    let most = part.most_transactions().unwrap();
    part.busy = 10;
    let mut checkpoints = part.boot().unwrap();
    assert_eq!((checkpoints.newest(&mut [0; 300]), checkpoints.damaged()), (Ok(None), SLOTS as u32));
    drop(checkpoints);
    assert_eq!(part.power().transactions(), 2 * 10 * SLOTS as u64);
    let before = part.power().transactions();
    assert_eq!(part.boot().unwrap().store(&[7; 300]), Ok(1));
    let needed = part.power().transactions() - before;
    assert!(needed <= most, "{needed} of {most}");
    assert_eq!(boots(&mut part), Some((1, vec![7; 300], SLOTS as u32 - 1)));
}

#[test]
fn an_absent_part_is_given_up_after_its_tries() {
    let mut part = Small::new(1);
    part.is_absent = true;
    assert_eq!(part.boot().unwrap().newest(&mut [0; 300]), Err(StoreError::Silent));
    assert_eq!(part.power().transactions(), 11);
    assert_eq!(part.boot().unwrap().store(b"lost"), Err(StoreError::Silent));
    assert_eq!(part.power().transactions(), 22);
    // Another address is another part.
    let mut present = Small::new(1);
    let mut place = Eeprom::new(&mut present, NoTime, 0x51, 300).unwrap();
    assert_eq!(place.read(0, 0, &mut [0; 32]), Err(StoreError::Silent));
}

#[test]
fn a_part_may_be_busy_for_ten_tries_and_no_longer() {
    for (busy, stored) in [(10, Ok(1)), (11, Err(StoreError::Silent))] {
        let mut part = Small::new(1);
        part.busy = busy;
        assert_eq!(part.boot().unwrap().store(&[7; 300]), stored);
    }
}

#[test]
fn a_protected_part_does_not_keep_anything_and_loses_nothing() {
    let mut part = Small::new(1);
    part.boot().unwrap().store(b"kept").unwrap();
    part.is_protected = true;
    let mut checkpoints = part.boot().unwrap();
    for _ in 0..3 * SLOTS {
        assert_eq!(checkpoints.store(b"not kept"), Err(StoreError::NotKept));
    }
    drop(checkpoints);
    assert_eq!(boots(&mut part), Some((1, b"kept".to_vec(), 0)));
}

#[test]
fn a_worn_slot_is_passed_over() {
    let mut part = Small::new(1);
    // In the third slot, which is erased.
    part.worn = Some(2 * 320 + 4);
    let mut checkpoints = part.boot().unwrap();
    for round in 0..3 {
        for slot in 0..SLOTS {
            let bytes = [round, slot as u8];
            // A record in another slot follows each failure.
            if slot == 2 {
                assert_eq!(checkpoints.store(&bytes), Err(StoreError::NotKept));
            } else {
                assert!(checkpoints.store(&bytes).is_ok(), "{bytes:?}");
            }
        }
    }
    drop(checkpoints);
    assert_eq!(boots(&mut part), Some((3 * SLOTS as u32, vec![2, SLOTS as u8 - 1], 1)));
}

#[test]
fn every_slot_wears_alike() {
    let mut part = Small::new(1);
    let mut random = random();
    for _ in 0..5 * SLOTS + 3 {
        // Always the full length, and often a reboot.
        let mut checkpoints = part.boot().unwrap();
        for _ in 0..1 + random() % 3 {
            checkpoints.store(&[1; 300]).unwrap();
        }
    }
    boots(&mut part);
    let wear = &part.wear[..SLOTS * 10];
    let (least, most) = (wear.iter().min().unwrap(), wear.iter().max().unwrap());
    assert!(*least >= 5 && most - least <= 1, "{least} to {most}");
    assert_eq!(part.wear[SLOTS * 10..], [0; 6]);
}

#[test]
fn a_checkpoint_that_is_too_long_is_refused() {
    let mut part = Small::new(1);
    let mut checkpoints = part.boot().unwrap();
    assert_eq!(checkpoints.store(&[1; 309]), Err(StoreError::TooLong));
    assert_eq!(checkpoints.store(&[1; 308]), Ok(1));
    assert_eq!(checkpoints.newest(&mut [0; 307]), Err(StoreError::TooLong));
    assert_eq!(checkpoints.newest(&mut [0; 308]).unwrap().map(|found| found.bytes.len()), Some(308));
    drop(checkpoints);
    assert!(Eeprom::new(&mut part, NoTime, 0x50, 4096 - 12).is_ok());
    assert_eq!(Eeprom::new(&mut part, NoTime, 0x50, 4096 - 11).err(), Some(StoreError::NoPlace));
}
