//! The list of boards.

use osculate_lab::boards::{Board, Emulator, Status};
use osculate_lab::text_table::Table;

const HEADER: [&str; 7] = ["board", "title", "core", "status", "flash", "RAM", "flashed by"];

const MEANING: &str = "
flash and RAM in KiB
run in …  its tests run there, not on the board itself
links     its image is built and checked, but nothing has ever run it
planned   nothing is built yet
`cargo xtask boards --check` builds and checks the images, `cargo xtask flash --board NAME` flashes one.";

pub(super) fn print(boards: &[&Board]) {
    println!("{}{MEANING}", table(boards));
}

fn table(boards: &[&Board]) -> String {
    let mut table = Table::new("llllrrl", HEADER);
    for board in boards {
        let kib = |bytes: u32| (bytes / 1024).to_string();
        let core = board.core.trim_start_matches("Cortex-");
        let (flash, ram) = (kib(board.flash.bytes), kib(board.ram.bytes));
        table.row([&board.name, &board.title, core, status(board), &flash, &ram, by(board)]);
    }
    table.text()
}

fn status(board: &Board) -> &'static str {
    match (board.status, board.emulator) {
        (Status::Run, Some(Emulator::Qemu)) => "run in QEMU",
        (Status::Run, Some(Emulator::Rp2040js)) => "run in rp2040js",
        (Status::Run | Status::Links, _) => "links",
        (Status::Planned, _) => "planned",
    }
}

fn by(board: &Board) -> &'static str {
    match (&board.chip, &board.drive) {
        (None, _) => "",
        (Some(_), None) => "probe",
        (Some(_), Some(_)) => "probe, drive",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_is_listed_within_100_columns() {
        let boards: Vec<_> = Board::all().iter().collect();
        let table = table(&boards);
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines.len(), boards.len() + 1);
        for line in lines.iter().copied().chain(MEANING.lines()).filter(|line| !line.starts_with('`')) {
            assert!(line.chars().count() <= 100, "{line}");
        }
        for (board, line) in boards.iter().zip(&lines[1..]) {
            assert!(line.starts_with(&format!("{} ", board.name)) && line.contains(status(board)), "{line}");
        }
    }

    #[test]
    fn a_label_says_no_more_than_is_proven() {
        let mut board = Board::all()[0].clone();
        assert_eq!((status(&board), by(&board)), ("run in QEMU", ""));
        board.status = Status::Links;
        assert_eq!(status(&board), "links");
        // Without an emulator nothing can have run.
        board = Board { status: Status::Run, emulator: None, ..board };
        assert_eq!(status(&board), "links");
        board = Board { status: Status::Planned, emulator: Some(Emulator::Rp2040js), ..board };
        assert_eq!(status(&board), "planned");
        board.status = Status::Run;
        assert_eq!(status(&board), "run in rp2040js");
    }
}
