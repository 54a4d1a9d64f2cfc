//! Promise: a checkpoint survives a power cut at any byte while the next one is written. What boots is complete, the
//! part wears evenly, and a failing part is reported within a bounded number of transactions.

mod budget;
mod eeprom;
mod flash;
mod format;
mod ring;

use checkpoint_ring::models::{Campaign, Part, TornEeprom, TornFlash, Tried};

/// The tries of a campaign, none of which may fail.
#[track_caller]
fn kept(campaign: impl FnOnce(&mut dyn FnMut(Tried, Result<(), String>))) -> [u32; 4] {
    let mut tries = [0; 4];
    campaign(&mut |tried, result| {
        assert_eq!(result, Ok(()));
        tries[tried as usize] += 1;
    });
    tries
}

/// The writes of each part whose power is cut: a few, or as many as this variable says.
fn writes() -> u32 {
    std::env::var("CHECKPOINT_RING_WRITES").map_or(3, |writes| writes.parse().unwrap())
}

#[test]
fn a_power_cut_at_any_byte_costs_at_most_the_newest_checkpoint() {
    fn live<P: Part>(part: P) -> [u32; 4] {
        let mut campaign = Campaign::new(part, 20);
        kept(|mut count| (0..writes()).for_each(|_| campaign.cut_everywhere(&mut count).unwrap()))
    }
    let eeprom = vec![live(TornEeprom::<60>::new(1)), live(TornEeprom::<300>::new(2)), live(TornEeprom::<700>::new(3))];
    let flash = vec![
        live(TornFlash::<60>::new(3, 4)),
        live(TornFlash::<300>::new(8, 5)),
        live(TornFlash::<700>::new(2, 6)),
        live(TornFlash::<1500>::new(4, 7)),
    ];
    for (name, tries) in [("EEPROM", eeprom), ("flash", flash)] {
        let all: u32 = tries.iter().map(|[cut, ..]| cut).sum();
        println!("{name}: {all} power cuts");
        assert!(all > 1_000, "only {all} cuts");
        assert!(tries.iter().all(|[cut, next, ..]| cut == next));
    }
}

#[test]
fn a_second_power_cut_costs_no_more() {
    fn cut_twice<P: Part>(part: P) -> u32 {
        let mut campaign = Campaign::new(part, 20);
        // Both pages of flash are full, so both writes begin with an erase.
        campaign.store(16).unwrap();
        kept(|mut count| campaign.cut_twice(&mut count).unwrap())[Tried::SecondCut as usize]
    }
    let twice = [cut_twice(TornEeprom::<100>::new(8)), cut_twice(TornFlash::<100>::new(2, 9))];
    println!("{twice:?} second power cuts");
    assert!(twice.iter().all(|cuts| *cuts > 1_000));
}

#[test]
fn a_flipped_bit_is_detected() {
    fn flip<P: Part>(part: P) -> u32 {
        let mut campaign = Campaign::new(part, 20);
        campaign.store(2).unwrap();
        kept(|mut count| campaign.flip_every_bit(&mut count).unwrap())[Tried::FlippedBit as usize]
    }
    assert_eq!(flip(TornEeprom::<300>::new(1)), 8 * 8192);
    assert_eq!(flip(TornFlash::<300>::new(8, 2)), 8 * 8192);
}

/// What boots: the sequence number, the bytes, and the number of damaged slots.
fn boots(part: &mut impl Part) -> Option<(u32, Vec<u8>, u32)> {
    part.boots().unwrap()
}

/// Numbers without a pattern (xorshift).
fn random() -> impl FnMut() -> u32 {
    let mut state = 0x2545_f491_u32;
    move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    }
}
