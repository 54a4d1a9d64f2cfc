//! Where the parts of an image are, how much they take, and how deep its stack gets.

use std::fs;

use osculate_lab::boards::{Board, Region};
use osculate_lab::firmware;
use osculate_lab::image_check::{Stack, check};

use crate::crafted::{Section, broken, elf, report, vectors};

fn v2() -> &'static Board {
    Board::named("microbit-v2").unwrap()
}

fn image() -> Vec<Section> {
    vec![
        Section::loaded(".vector_table", 0, vectors(0x2002_0000, 0x40)),
        Section::loaded(".text", 0x40, vec![0; 0x1000]),
        Section { stored: 0x1040, ..Section::loaded(".data", 0x2000_0000, vec![1; 64]) },
        Section::statics(".bss", 0x2000_0040, 0x400),
    ]
}

#[test]
fn flash_and_ram_are_added_up() {
    let report = report(v2(), &image());
    assert_eq!((report.flash, report.ram), (0x40 + 0x1000 + 64, 64 + 0x400));
}

#[test]
fn what_is_loaded_is_in_flash_and_not_in_the_store() {
    broken(
        v2(),
        &image(),
        |image| image[2].stored = 0x2000_0000,
        ".data is loaded to 0x20000000 to 0x2000003f: the flash",
    );
    broken(v2(), &image(), |image| image[2].stored = 0x7_8000, "0x00078000 to 0x0007ffff is kept for checkpoints");
    // Its last byte is the store's first.
    broken(v2(), &image(), |image| image[2].stored = 0x7_7fc1, "is kept for checkpoints");
    broken(v2(), &image(), |image| image[2].stored = 0x7_ffe0, ".data is loaded to 0x0007ffe0 to 0x0008001f");
    broken(v2(), &image(), |image| image[2].stored = u32::MAX - 63, ".data is loaded to 0xffffffc0");
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
    assert_eq!(report(&free, &image).complaints, [""; 0]);
}

#[test]
fn two_things_in_one_place_and_no_image_at_all_are_errors() {
    let mut image = image();
    image[2].stored = 0x1000;
    let error = check(v2(), &elf(&image)).unwrap_err().to_string();
    assert!(error.contains("0x00001000 to 0x0000103f overlaps what is already at 0x00000040"), "{error}");
    assert!(check(v2(), b"a text").unwrap_err().to_string().contains("no ELF file"));
    assert!(check(v2(), &elf(&[])).unwrap_err().to_string().contains("loads nothing"));
}

#[test]
fn a_stack_that_cannot_be_followed_is_said_and_is_no_complaint() {
    let report = report(v2(), &image());
    let Stack::Unknown(reason) = report.stack else { panic!("{report:?}") };
    assert_eq!(reason, "linked without --emit-relocs");
}

/// Not crafted: a linked firmware, on a board that is changed instead.
#[test]
fn a_linked_image_is_fine_on_its_own_board_and_on_no_smaller_one() {
    let board = Board::named("microbit").unwrap();
    let elf = fs::read(firmware::build(board, "drift", &[]).unwrap()).unwrap();
    let report = check(board, &elf).unwrap();
    assert_eq!(report.complaints, [""; 0]);
    let Stack::Known { bytes, available, .. } = report.stack else { panic!("{report:?}") };
    assert!(bytes > 100 && bytes <= available && available + report.ram <= board.ram.bytes, "{report:?}");

    let complaints = |board: &Board| check(board, &elf).unwrap().complaints.join("\n");
    let with_ram = |start, bytes| Board { ram: Region { start, bytes }, ..board.clone() };
    // The statics are at the upper end, and the stack ends at the lower one.
    assert!(complaints(&with_ram(0x2000_0000, 0x3f00)).contains(".bss is at "));
    assert!(complaints(&with_ram(0x2000_0100, 0x3f00)).contains("the stack ends at 0x20000000"));
    let flash = Region { start: 0, bytes: 0x2000 };
    assert!(complaints(&Board { flash, store: 0, ..board.clone() }).contains(".text is loaded to "));
    assert!(complaints(&Board { most_flash: Some(100), ..board.clone() }).contains("bytes of flash: the budget"));
    assert!(complaints(Board::named("pico2").unwrap()).contains("no image definition"));
}

/// The end of the stack is a symbol: moved up, it leaves too little room; moved into the statics, it has them inside.
#[test]
fn a_stack_that_is_too_small_or_has_statics_inside_is_a_complaint() {
    let board = Board::named("mps2-an386").unwrap();
    let elf = fs::read(firmware::build(board, "drift", &[]).unwrap()).unwrap();
    let fine = check(board, &elf).unwrap();
    assert_eq!(fine.complaints, [""; 0]);
    let Stack::Known { bytes, start, .. } = fine.stack else { panic!("{fine:?}") };

    let small = with_stack_end(&elf, start - (bytes - 8));
    assert_eq!(
        check(board, &small).unwrap().complaints,
        [format!("the stack gets {bytes} bytes deep: there are {}", bytes - 8)]
    );
    let complaints = check(board, &with_stack_end(&elf, board.ram.start)).unwrap().complaints;
    assert!(
        complaints.iter().any(|complaint| complaint.starts_with(".bss is inside the stack, 0x20000000")),
        "{complaints:?}"
    );
}

/// Changes the value of the symbol `_stack_end`: the word after its name in the table of symbols.
fn with_stack_end(elf: &[u8], value: u32) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes(elf[at..at + 4].try_into().unwrap()) as usize;
    let half = |at: usize| usize::from(u16::from_le_bytes(elf[at..at + 2].try_into().unwrap()));
    let sections = (0..half(48)).map(|number| word(32) + number * half(46));
    let symbols = sections.clone().find(|section| word(section + 4) == 2).unwrap();
    let names = word(word(32) + word(symbols + 24) * half(46) + 16);
    let mut all = (word(symbols + 16)..word(symbols + 16) + word(symbols + 20)).step_by(16);
    let symbol = all.find(|symbol| elf[names + word(*symbol)..].starts_with(b"_stack_end\0")).unwrap();
    let mut changed = elf.to_vec();
    changed[symbol + 4..symbol + 8].copy_from_slice(&value.to_le_bytes());
    changed
}
