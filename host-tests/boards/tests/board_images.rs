//! Promise: the image that is flashed to a board is one that its chip can start and run, as far as that can be known
//! without the board.

use std::fs;

use object::{Object, ObjectSection, ObjectSymbol};
use osculate_lab::boards::{Board, Region};
use osculate_lab::firmware;
use osculate_lab::image_check::{Stack, check};

#[test]
fn every_board_has_an_image_that_fits() {
    let boards: Vec<_> = Board::buildable().filter(|board| firmware::has_application(board)).collect();
    assert!(boards.len() >= 9, "only {}", boards.len());
    for board in boards.into_iter().filter(|board| board.is_tried()) {
        let features = firmware::application_features(board);
        let elf = firmware::build(board, firmware::APPLICATION, features).unwrap();
        let elf = fs::read(elf).unwrap();
        let report = check(board, &elf).unwrap();
        assert!(report.complaints.is_empty(), "{}: {:#?}", board.name, report.complaints);
        let Stack::Known { bytes, available, .. } = report.stack else { panic!("{}: {:?}", board.name, report.stack) };
        println!("{}: {} flash, {} RAM, stack {bytes} of {available}", board.name, report.flash, report.ram);
        // As docs/boards.md says.
        assert!(report.flash <= 44 << 10 && report.ram <= 2 << 10 && bytes <= 20 << 10, "{}", board.name);
    }
    for (name, flash, ram) in [("microbit-v2", 48 * 1024, Some(8 * 1024)), ("pico", 64 * 1024, None)] {
        let board = Board::named(name).unwrap();
        assert_eq!((board.most_flash, board.most_ram), (Some(flash), ram), "the budget of {name}");
    }
}

/// Without this, a check that finds nothing would pass, too. (What else is found, the tests of `image_check` try.)
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
    let file = object::File::parse(elf).unwrap();
    let (table, _) = file.section_by_name(".symtab").unwrap().file_range().unwrap();
    let at = table as usize + 16 * file.symbol_by_name("_stack_end").unwrap().index().0 + 4;
    let mut changed = elf.to_vec();
    changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
    changed
}
