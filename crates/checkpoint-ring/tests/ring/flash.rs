//! Flash that is empty, full of garbage, or too small.

use checkpoint_ring::models::{Part, TornEeprom, TornFlash};
use checkpoint_ring::{Checkpoints, Flash, Place, StoreError};

use crate::{boots, random};

type Small = TornFlash<300>;

fn nothing_boots_from_an_empty_part_or_from_garbage(empty: &impl Part, slots: u32) {
    let mut random = random();
    for kind in 0..3 {
        let mut part = empty.clone();
        part.cells().fill_with(|| [0xff, 0, random() as u8][kind]);
        let mut checkpoints = part.boot().unwrap();
        assert_eq!(checkpoints.newest(&mut [0; 300]), Ok(None));
        assert_eq!(checkpoints.damaged(), [0, 0, slots][kind]);
        for sequence in 1..=2 * slots {
            assert_eq!(checkpoints.store(&[sequence as u8; 200]), Ok(sequence));
        }
        drop(checkpoints);
        assert_eq!(boots(&mut part), Some((2 * slots, vec![2 * slots as u8; 200], 0)));
    }
}

#[test]
fn nothing_boots_from_parts_without_checkpoints() {
    nothing_boots_from_an_empty_part_or_from_garbage(&Small::new(8, 1), 24);
    nothing_boots_from_an_empty_part_or_from_garbage(&TornEeprom::<300>::new(1), 25);
}

#[test]
fn every_page_wears_alike_and_no_word_is_written_twice() {
    let mut part = Small::new(8, 1);
    let mut random = random();
    for _ in 0..200 {
        let mut checkpoints = part.boot().unwrap();
        for _ in 0..1 + random() % 3 {
            checkpoints.store(&vec![1; (random() % 301) as usize]).unwrap();
        }
    }
    let (least, most) = (part.wear.iter().min().unwrap(), part.wear.iter().max().unwrap());
    assert!(*least >= 8 && most - least <= 1, "{least} to {most}");
    assert_eq!(part.rewritten, 0);
}

#[test]
fn a_page_with_the_newest_checkpoint_is_not_erased() {
    let mut part = Small::new(2, 1);
    // Three slots to a page.
    for sequence in 1..=2 {
        assert_eq!(part.boot().unwrap().store(&[0; 300]), Ok(sequence));
    }
    let mut place = Flash::<_, 300>::new(&mut part, 0..2048).unwrap();
    let can_be_claimed: Vec<_> = (0..6).map(|slot| place.claim(slot, Some(1)).unwrap()).collect();
    assert_eq!(can_be_claimed, [false, false, true, true, true, true]);
    assert_eq!(boots(&mut part).map(|(sequence, ..)| sequence), Some(2));
}

#[test]
fn slots_share_a_page_or_have_pages_of_their_own() {
    fn slots<const MOST: usize>(pages: usize) -> Result<usize, StoreError> {
        let range = 0..1024 * pages as u32;
        Flash::<_, MOST>::new(&mut TornFlash::<MOST>::new(pages, 1), range).map(|place| place.slots())
    }
    assert_eq!(slots::<{ 1024 - 12 }>(2), Ok(2));
    assert_eq!(slots::<{ 1024 - 11 }>(4), Ok(2));
    assert_eq!(slots::<{ 1024 - 11 }>(3), Err(StoreError::NoPlace));
    assert_eq!(slots::<{ 512 - 12 }>(2), Ok(4));
    assert_eq!(slots::<300>(1), Err(StoreError::NoPlace));
    let new = |range| Flash::<_, 300>::new(&mut Small::new(4, 1), range).map(|_| ());
    assert_eq!(new(1024..3072), Ok(()));
    for range in [1..2049, 0..2050, 0..8192] {
        assert_eq!(new(range), Err(StoreError::NoPlace));
    }
}

#[test]
fn what_is_outside_the_range_is_left_alone() {
    let mut part = Small::new(4, 1);
    part.cells().fill(0x5a);
    let range = 1024..3072;
    let mut checkpoints = Checkpoints::new(Flash::<_, 300>::new(&mut part, range).unwrap());
    for sequence in 1..=20 {
        assert_eq!(checkpoints.store(&[7; 300]), Ok(sequence));
    }
    let cells = part.cells();
    assert!(cells[..1024].iter().chain(&cells[3072..]).all(|byte| *byte == 0x5a));
}
