//! The frame of a record, made and read by hand.

use checkpoint_ring::models::{Part, TornEeprom, TornFlash};

use crate::boots;

/// CRC-32, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}

fn frame(sequence: u32, payload: &[u8]) -> Vec<u8> {
    let mut frame = sequence.to_le_bytes().to_vec();
    frame.extend((payload.len() as u32).to_le_bytes());
    frame.extend(payload);
    frame.extend(crc(&frame).to_le_bytes());
    frame
}

#[test]
fn a_record_is_laid_out_as_documented() {
    fn check(mut part: impl Part, slot: usize) {
        let payload: Vec<u8> = (0..=99).collect();
        part.boot().unwrap().store(b"first").unwrap();
        part.boot().unwrap().store(&payload).unwrap();
        let mut expected = frame(2, &payload);
        expected.resize(128, 0xff);
        assert_eq!(boots(&mut part), Some((2, payload, 0)));
        assert_eq!(part.cells()[slot..][..128], expected);
    }
    check(TornEeprom::<300>::new(1), 320);
    check(TornFlash::<300>::new(8, 1), 320);
}

#[test]
fn sequence_numbers_wrap() {
    fn check(mut part: impl Part) {
        let record = frame(u32::MAX - 2, b"late");
        part.cells()[..record.len()].copy_from_slice(&record);
        assert_eq!(boots(&mut part), Some((u32::MAX - 2, b"late".to_vec(), 0)));
        for sequence in [u32::MAX - 1, u32::MAX, 0, 1, 2] {
            let bytes = sequence.to_le_bytes();
            assert_eq!(part.boot().unwrap().store(&bytes), Ok(sequence));
            assert_eq!(boots(&mut part), Some((sequence, bytes.to_vec(), 0)));
        }
    }
    check(TornEeprom::<300>::new(1));
    check(TornFlash::<300>::new(8, 1));
}

#[test]
fn the_highest_number_counts_wherever_it_is() {
    for newest in 0..25 {
        let mut part = TornEeprom::<300>::new(1);
        for slot in 0..25 {
            let record = frame(100 + (slot + 25 - newest) as u32 % 25, &[slot as u8]);
            part.cells()[slot * 320..][..record.len()].copy_from_slice(&record);
        }
        assert_eq!(boots(&mut part), Some((124, vec![((newest + 24) % 25) as u8], 0)));
    }
}

#[test]
fn a_length_beyond_the_slot_is_damage() {
    let mut part = TornEeprom::<20>::new(1);
    // It is intact, but reaches into the next slot.
    let record = frame(9, &[3; 30]);
    part.cells()[..record.len()].copy_from_slice(&record);
    part.cells()[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
    let mut checkpoints = part.boot().unwrap();
    assert_eq!((checkpoints.newest(&mut [0; 100]), checkpoints.damaged()), (Ok(None), 2));
}
