//! Promise: the image that is flashed to a board is one that its chip can start and run, as far as that can be known
//! without the board.

use std::fs;

use osculate_lab::boards::Board;
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
