//! The list of boards.

use osculate_lab::boards::{Board, Emulator, Status};

use crate::columns::{Align, lines};

const HEADER: [&str; 7] = ["board", "title", "core", "status", "flash", "RAM", "flashed by"];
const ALIGNS: [Align; 7] =
    [Align::Left, Align::Left, Align::Left, Align::Left, Align::Right, Align::Right, Align::Left];

const MEANING: &str = "
flash and RAM in KiB
run in …  its tests run there, not on the board itself
links     its image is built and checked, but nothing has ever run it
planned   nothing is built yet
`cargo xtask boards --check` builds and checks the images, `cargo xtask flash --board NAME` flashes one.";

pub(super) fn print(boards: &[&Board]) {
    for line in table(boards) {
        println!("{line}");
    }
    println!("{MEANING}");
}

fn table(boards: &[&Board]) -> Vec<String> {
    let header = HEADER.map(String::from);
    let rows = boards.iter().map(|board| {
        let kib = |bytes: u32| (bytes / 1024).to_string();
        let (flash, ram) = (kib(board.flash.bytes), kib(board.ram.bytes));
        [
            board.name.clone(),
            board.title.clone(),
            board.core.trim_start_matches("Cortex-").into(),
            status(board).into(),
            flash,
            ram,
            by(board).into(),
        ]
    });
    lines(ALIGNS, &[header].into_iter().chain(rows).collect::<Vec<_>>())
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
        let lines = table(&boards);
        assert_eq!(lines.len(), boards.len() + 1);
        for line in lines.iter().map(String::as_str).chain(MEANING.lines()).filter(|line| !line.starts_with('`')) {
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
