//! What each chip looks for at the start of its flash.

use crc::{CRC_32_MPEG_2, Crc};

use super::{Section, broken, complaints, vectors};
use crate::boards::Board;

fn named(board: &str) -> &'static Board {
    Board::named(board).unwrap()
}

fn checksum(bytes: &[u8]) -> u32 {
    Crc::<u32>::new(&CRC_32_MPEG_2).checksum(bytes)
}

const FLASH: u32 = 0x1000_0000;

fn pico() -> Vec<Section> {
    let mut boot2: Vec<u8> = (0..252).collect();
    boot2.extend(checksum(&boot2).to_le_bytes());
    vec![
        Section::loaded(".boot2", FLASH, boot2),
        Section::loaded(".vector_table", FLASH + 0x100, vectors(0x2004_2000, FLASH + 0x140)),
        Section::loaded(".text", FLASH + 0x140, vec![0; 64]),
    ]
}

#[test]
fn the_boot_rom_of_the_rp2040_starts_a_boot2_with_the_right_checksum() {
    let pico = named("pico");
    // A known value of the sum that the data sheet describes: the check and this test could share a mistake.
    assert_eq!(checksum(b"123456789"), 0x0376_e6e7);
    broken(pico, &self::pico(), |image| image[0].bytes[7] ^= 1, "boot2 at 0x10000000 has the checksum");
    broken(pico, &self::pico(), |image| image[0].bytes[255] ^= 1, "boot2 at 0x10000000 has the checksum");
    broken(pico, &self::pico(), |image| _ = image.remove(0), "no boot2: the boot ROM wants 256 bytes at 0x10000000");
    broken(pico, &self::pico(), |image| _ = image.remove(1), "nothing is loaded to 0x10000100");
}

/// The words of a block: items, then where the next one is.
fn block(items: &[u32], next: u32) -> Vec<u8> {
    let end = [(items.len() as u32) << 8 | 0xff, next, 0xab12_3579];
    [0xffff_ded3].iter().chain(items).chain(&end).flat_map(|word| word.to_le_bytes()).collect()
}

const PROGRAM: u32 = 0x1021_0142;

fn pico2(definition: Vec<u8>) -> Vec<Section> {
    vec![
        Section::loaded(".vector_table", FLASH, vectors(0x2008_2000, FLASH + 0x2000)),
        Section::loaded(".start_block", FLASH + 0x110, definition),
        Section::loaded(".text", FLASH + 0x2000, vec![0; 64]),
    ]
}

#[test]
fn the_boot_rom_of_the_rp2350_finds_an_image_definition() {
    let board = named("pico2");
    let image = pico2(block(&[PROGRAM], 0));
    let word = |image: &mut Vec<Section>, at: usize, word: u32| {
        image[1].bytes[4 * at..4 * at + 4].copy_from_slice(&word.to_le_bytes());
    };
    broken(board, &image, |image| _ = image.remove(1), "no image definition: the boot ROM looks for 0xffffded3");
    let far = block(&[PROGRAM], 0);
    broken(
        board,
        &image,
        |image| image[1] = Section::loaded(".start_block", FLASH + 0x1000, far),
        "no image definition",
    );
    broken(board, &image, |image| word(image, 0, 0), "no image definition");
    broken(board, &image, |image| word(image, 1, 0x1121_0142), "says 0x1121: a secure program");
    broken(board, &image, |image| word(image, 1, 0x0000_01fe), "do not say that this is a program");
    broken(board, &image, |image| word(image, 1, 0x0000_00fe), "an item without a size at 0x10000114");
    broken(board, &image, |image| word(image, 2, 0x0000_02ff), "has 1 words of items, and says 2");
    broken(board, &image, |image| word(image, 3, 0x20), "the block at 0x10000130 does not begin");
    broken(board, &image, |image| word(image, 4, 0), "the block at 0x10000110 does not end with 0xab123579");
    broken(board, &image, |image| image[1].bytes.truncate(12), "does not end with");
    broken(board, &image, |image| image[1].bytes.truncate(8), "is cut short");
    broken(board, &image, |image| _ = image.remove(0), "nothing is loaded to 0x10000000");
}

#[test]
fn more_than_one_block_lead_around() {
    let board = named("pico2");
    let mut image = pico2(block(&[PROGRAM], 0x1f00));
    let back = 0u32.wrapping_sub(0x1f00);
    image[2] = Section::loaded(".text", FLASH + 0x2000, [vec![0; 16], block(&[0x0000_01fe], back)].concat());
    broken(board, &image, |image| image[2].bytes[16] = 0, "the block at 0x10002010 does not begin");
    // A second one that leads to itself, and never back.
    broken(board, &image, |image| image[2].bytes[28..32].copy_from_slice(&[0; 4]), "do not lead back to the first");
}

#[test]
fn the_other_chips_start_at_their_vectors() {
    for (board, flash, ram_end) in [
        ("microbit-v2", 0, 0x2002_0000),
        ("nrf52840-dk", 0, 0x2004_0000),
        ("netduinoplus2", 0x0800_0000, 0x2002_0000),
        ("mps2-an505", 0x1000_0000, 0x3840_0000),
    ] {
        let board = named(board);
        let image = [
            Section::loaded(".vector_table", flash, vectors(ram_end, flash + 0x40)),
            Section::loaded(".text", flash + 0x40, vec![0; 64]),
        ];
        broken(board, &image, |image| _ = image.remove(0), "where this chip looks for its table of vectors");
        let set = |number: usize, value: u32| {
            move |image: &mut Vec<Section>| {
                image[0].bytes[4 * number..4 * number + 4].copy_from_slice(&value.to_le_bytes());
            }
        };
        broken(board, &image, set(0, ram_end + 8), "the stack begins at");
        broken(board, &image, set(0, board.ram.start), "the stack begins at");
        broken(board, &image, set(0, ram_end - 4), "no multiple of 8");
        broken(board, &image, set(1, flash + 0x40), "even, so no Thumb code");
        broken(board, &image, set(1, 0x2000_0001), "outside the flash for the program");
        broken(board, &image, set(1, board.program().end() + 1), "outside the flash for the program");
        broken(board, &image, set(1, flash + 0x101), "where nothing is loaded");
        broken(board, &image, set(15, flash + 0x40), "vector 15 is");
    }
}

#[test]
fn every_complaint_is_made_not_only_the_first() {
    let mut image = pico();
    image[0].bytes[0] ^= 1;
    image[1].bytes[0] = 4;
    image[2].stored = Some(0x2000_0000);
    let complaints = complaints(named("pico"), &image);
    assert!(complaints.len() >= 4, "{complaints:#?}");
}
