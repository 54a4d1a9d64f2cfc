//! Images that no linker made: the smallest that a check can be tried with. Every check has been seen to fail.

mod chips;

use super::memory::Part;
use super::{Memory, Report, Stack, check, report};
use crate::boards::Board;
use crate::image_files::Content;

/// A part of an image.
#[derive(Clone)]
struct Section {
    name: &'static str,
    /// Where it is used.
    address: u32,
    /// Where its bytes are stored; `None` if they have no initial values.
    stored: Option<u32>,
    bytes: Vec<u8>,
}

impl Section {
    fn loaded(name: &'static str, address: u32, bytes: Vec<u8>) -> Self {
        Self { name, address, stored: Some(address), bytes }
    }

    fn statics(name: &'static str, address: u32, bytes: usize) -> Self {
        Self { name, address, stored: None, bytes: vec![0; bytes] }
    }
}

/// Sixteen vectors: a stack pointer, and handlers that are all at one address.
fn vectors(stack: u32, handler: u32) -> Vec<u8> {
    [stack].into_iter().chain([handler | 1; 15]).flat_map(u32::to_le_bytes).collect()
}

fn judged(board: &Board, image: &[Section]) -> Report {
    let (mut content, mut parts) = (Content::default(), Vec::new());
    for Section { name, address, stored, bytes } in image {
        stored.iter().for_each(|at| content.add(*at, bytes).unwrap());
        parts.push(Part { name: (*name).into(), bytes: bytes.len() as u32, address: *address, stored: *stored });
    }
    report(board, &content, &Memory { parts }, Stack::Unknown("nothing is linked".into()))
}

fn complaints(board: &Board, image: &[Section]) -> Vec<String> {
    judged(board, image).complaints
}

/// Breaks an image that is fine, and sees exactly this complaint.
#[track_caller]
fn broken(board: &Board, image: &[Section], how: impl FnOnce(&mut Vec<Section>), complaint: &str) {
    assert_eq!(complaints(board, image), [""; 0]);
    let mut image = image.to_vec();
    how(&mut image);
    let complaints = complaints(board, &image);
    assert!(complaints.len() == 1 && complaints[0].contains(complaint), "{complaints:#?}\nnot {complaint}");
}

fn v2() -> &'static Board {
    Board::named("microbit-v2").unwrap()
}

fn image() -> Vec<Section> {
    vec![
        Section::loaded(".vector_table", 0, vectors(0x2002_0000, 0x40)),
        Section::loaded(".text", 0x40, vec![0; 0x1000]),
        Section { stored: Some(0x1040), ..Section::loaded(".data", 0x2000_0000, vec![1; 64]) },
        Section::statics(".bss", 0x2000_0040, 0x400),
    ]
}

#[test]
fn flash_and_ram_are_added_up() {
    let report = judged(v2(), &image());
    assert_eq!((report.flash, report.ram), (0x40 + 0x1000 + 64, 64 + 0x400));
}

#[test]
fn what_is_loaded_is_in_flash_and_not_in_the_store() {
    broken(
        v2(),
        &image(),
        |image| image[2].stored = Some(0x2000_0000),
        ".data is loaded to 0x20000000 to 0x2000003f: the flash",
    );
    broken(
        v2(),
        &image(),
        |image| image[2].stored = Some(0x7_8000),
        "0x00078000 to 0x0007ffff is kept for checkpoints",
    );
    // Its last byte is the store's first.
    broken(v2(), &image(), |image| image[2].stored = Some(0x7_7fc1), "is kept for checkpoints");
    broken(v2(), &image(), |image| image[2].stored = Some(0x7_ffe0), ".data is loaded to 0x0007ffe0 to 0x0008001f");
    broken(v2(), &image(), |image| image[2].stored = Some(u32::MAX - 63), ".data is loaded to 0xffffffc0");
}

#[test]
fn what_is_written_to_is_in_ram() {
    broken(v2(), &image(), |image| image[3].address = 0x2001_ff00, ".bss is at 0x2001ff00 to 0x200202ff: the RAM");
    broken(v2(), &image(), |image| image[3].address = 0x5000, ".bss is at 0x00005000");
    broken(v2(), &image(), |image| image[2].address = 0x1fff_fff0, ".data is at 0x1ffffff0");
}

#[test]
fn a_board_has_budgets() {
    let more = |at: usize| {
        move |image: &mut Vec<Section>| match at {
            1 => image[1] = Section::loaded(".text", 0x2000, vec![0; 0xbfff]),
            _ => image[3] = Section::statics(".bss", 0x2000_0040, 0x2000),
        }
    };
    // The reset vector leads to the code that has moved, so it moves, too.
    let mut moved = image();
    moved[0] = Section::loaded(".vector_table", 0, vectors(0x2002_0000, 0x2000));
    moved[1] = Section::loaded(".text", 0x2000, vec![0; 64]);
    broken(v2(), &moved, more(1), "49279 bytes of flash: the budget of microbit-v2 is 49152");
    broken(v2(), &image(), more(3), "8256 bytes of RAM for statics: the budget of microbit-v2 is 8192");
    let free = Board { most_flash: None, most_ram: None, ..v2().clone() };
    let mut image = image();
    more(3)(&mut image);
    assert_eq!(complaints(&free, &image), [""; 0]);
}

#[test]
fn no_image_at_all_is_an_error() {
    assert!(check(v2(), b"a text").unwrap_err().to_string().contains("no ELF file"));
    // The header of an executable for Arm, and nothing else.
    let words = [40 << 16 | 2, 1, 0, 0, 0, 0x0500_0000, 52, 0, 0].into_iter().flat_map(u32::to_le_bytes);
    let empty: Vec<u8> = b"\x7fELF\x01\x01\x01".iter().copied().chain([0; 9]).chain(words).collect();
    assert!(check(v2(), &empty).unwrap_err().to_string().contains("loads nothing"));
}
