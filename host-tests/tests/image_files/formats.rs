//! A bin, a hex and a UF2 file read back as the ELF file they were made from, and not if a byte is wrong.

use std::fs;

use osculate_lab::boards::Board;
use osculate_lab::firmware;
use osculate_lab::image_files::{Content, PADDING, bin, hex, uf2};

use crate::crafted::{Section, elf};

const FAMILY: u32 = 0xe48b_ff59;

/// Parts that begin and end in the middle of lines, pages and sectors, across 64 KiB, with gaps.
fn content() -> Content {
    let bytes = |count: u32| (0..count).map(|at| (at * 7) as u8).collect();
    Content::of_elf(&elf(&[
        Section::loaded(".vector_table", 0x1000_0000, bytes(0x113)),
        Section::loaded(".text", 0x1000_fff3, bytes(0x2222)),
        Section { stored: 0x1001_4001, ..Section::loaded(".data", 0x2000_0000, bytes(5)) },
        Section::statics(".bss", 0x2000_0100, 0x1000),
    ]))
    .unwrap()
}

#[test]
fn only_what_is_stored_in_flash_is_written() {
    let parts: Vec<_> = content().parts().map(|(start, bytes)| (start, bytes.len())).collect();
    assert_eq!(parts, [(0x1000_0000, 0x113), (0x1000_fff3, 0x2222), (0x1001_4001, 5)]);
}

#[test]
fn every_format_reads_back_as_it_was_linked() {
    let board = Board::named("microbit").unwrap();
    let linked = fs::read(firmware::build(board, "drift", &[]).unwrap()).unwrap();
    for content in [content(), Content::of_elf(&linked).unwrap()] {
        let file = bin::write(&content).unwrap();
        content.compare(&bin::read(&file, content.start().unwrap()).unwrap()).unwrap();
        let file = hex::write(&content).unwrap();
        assert_eq!(hex::read(&file).unwrap(), content, "no padding at all");
        let file = uf2::write(&content, FAMILY).unwrap();
        content.compare(&uf2::read(&file, FAMILY).unwrap()).unwrap();
    }
}

#[test]
fn gaps_read_like_erased_flash() {
    let file = bin::write(&content()).unwrap();
    assert_eq!(file.len(), 0x1_4006);
    assert!(file[0x113..0xfff3].iter().all(|byte| *byte == PADDING));
}

#[test]
fn a_wrong_byte_anywhere_in_a_file_is_noticed() {
    let content = content();
    let text = hex::write(&content).unwrap();
    for at in (0..text.len()).step_by(97) {
        let mut file = text.clone().into_bytes();
        // Another digit where there was one: not a line end, nor the letter case.
        if !file[at].is_ascii_hexdigit() {
            continue;
        }
        file[at] = if file[at] == b'0' { b'1' } else { b'0' };
        let read = hex::read(&String::from_utf8(file).unwrap());
        assert!(read.and_then(|read| content.compare(&read)).is_err(), "byte {at} of the hex file");
    }
    let file = uf2::write(&content, FAMILY).unwrap();
    for at in (0..file.len()).step_by(13) {
        let mut changed = file.clone();
        changed[at] ^= 0x10;
        let read = uf2::read(&changed, FAMILY).and_then(|read| content.compare(&read));
        // The bytes between the data and the end of a block belong to nobody.
        let unused = (32 + 256..508).contains(&(at % 512));
        assert_eq!(read.is_ok(), unused, "byte {at} of the UF2 file");
    }
    let mut file = bin::write(&content).unwrap();
    file[0x1_0000] ^= 1;
    let error = content.compare(&bin::read(&file, 0x1000_0000).unwrap()).unwrap_err().to_string();
    assert!(error.starts_with("0x10010000 is "), "{error}");
}

#[test]
fn a_line_that_is_left_out_is_noticed() {
    let content = content();
    let text = hex::write(&content).unwrap();
    let lines: Vec<_> = text.lines().collect();
    for left_out in [1, 17, lines.len() - 2, lines.len() - 1] {
        let rest: Vec<_> = lines.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, line)| *line).collect();
        let read = hex::read(&rest.join("\n"));
        assert!(read.and_then(|read| content.compare(&read)).is_err(), "line {left_out}");
    }
}

#[test]
fn what_is_too_far_apart_is_no_bin() {
    let image = [Section::loaded(".text", 0, vec![0; 4]), Section::loaded(".data", 0x2000_0000, vec![0; 4])];
    let error = bin::write(&Content::of_elf(&elf(&image)).unwrap()).unwrap_err().to_string();
    assert!(error.contains("0x00000000 and 0x20000000 are too far apart"), "{error}");
    assert!(bin::write(&Content::default()).is_err());
}
