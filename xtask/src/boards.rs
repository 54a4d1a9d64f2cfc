//! `cargo xtask boards`: the boards, how far each is proven, and whether its image would start.

use anyhow::{Result, bail, ensure};
use clap::Args;
use osculate_lab::boards::{Board, Emulator, Status};
use osculate_lab::firmware::{APPLICATION, has_application};
use osculate_lab::text_table::Table;

use crate::{build, setup};

/// List the boards and how far each is proven; with --check, build and check the image of each
#[derive(Args)]
pub(crate) struct Options {
    /// Build the application for every board that can run it, and check each image against its chip
    #[arg(long)]
    check: bool,
    /// Only this board; may be repeated
    #[arg(long, value_name = "NAME")]
    board: Vec<String>,
}

/// Lists the boards, or checks their images.
pub(crate) fn run(options: &Options) -> Result<()> {
    let names = options.board.iter();
    match (options.check, options.board.is_empty()) {
        (true, true) => check(&Board::buildable().filter(|board| has_application(board)).collect::<Vec<_>>())?,
        (true, false) => check(&names.map(|name| with_application(name)).collect::<Result<Vec<_>>>()?)?,
        (false, true) => println!("{}{MEANING}", table(&Board::all().iter().collect::<Vec<_>>())),
        (false, false) => {
            println!("{}{MEANING}", table(&names.map(|name| Board::named(name)).collect::<Result<Vec<_>>>()?));
        }
    }
    Ok(())
}

/// The board of this name, on which the application runs.
fn with_application(name: &str) -> Result<&'static Board> {
    let board = buildable(name)?;
    ensure!(
        has_application(board),
        "{name} has no sensor for {APPLICATION}; `cargo xtask dev build --board {name} --bin NAME` builds another binary"
    );
    Ok(board)
}

/// The board of this name.
///
/// # Errors
/// If it is unknown, or planned.
pub(crate) fn buildable(name: &str) -> Result<&'static Board> {
    let board = Board::named(name)?;
    ensure!(
        board.status != Status::Planned,
        "{name} is planned: there is no firmware for it yet; `cargo xtask boards` shows which boards have one"
    );
    Ok(board)
}

/// Builds the images and shows what each takes, of what its chip has for it, and what is wrong with it.
fn check(boards: &[&Board]) -> Result<()> {
    setup::ensure_compiler()?;
    let mut wrong = Vec::new();
    for board in boards {
        // One board that fails must not hide what is wrong with the others.
        let is_fine = build::application(board).map(|built| {
            built.show(board);
            built.is_fine()
        });
        is_fine.as_ref().err().into_iter().for_each(|error| println!("{}: not built: {error:#}", board.name));
        wrong.extend((!is_fine.unwrap_or(false)).then_some(&*board.name));
    }
    if !wrong.is_empty() {
        bail!("{} of {} images would not do, see above: {}", wrong.len(), boards.len(), wrong.join(", "));
    }
    println!("\nall {} images would start, and their stacks are deep enough", boards.len());
    Ok(())
}

const HEADER: [&str; 7] = ["board", "title", "core", "status", "flash", "RAM", "flashed by"];

const MEANING: &str = "
flash and RAM in KiB
run in …  its tests run there, not on the board itself
links     its image is built and checked, but nothing has ever run it
planned   nothing is built yet
`cargo xtask boards --check` builds and checks the images, `cargo xtask flash --board NAME` flashes one.";

fn table(boards: &[&Board]) -> String {
    let mut table = Table::new("llllrrl", HEADER);
    for board in boards {
        let kib = |bytes: u32| (bytes / 1024).to_string();
        let core = board.core.trim_start_matches("Cortex-");
        let (flash, ram) = (kib(board.flash.bytes), kib(board.ram.bytes));
        let by = match (&board.chip, &board.drive) {
            (None, _) => "",
            (Some(_), None) => "probe",
            (Some(_), Some(_)) => "probe, drive",
        };
        table.row([&board.name, &board.title, core, status(board), &flash, &ram, by]);
    }
    table.text()
}

/// No more than is proven: without an emulator nothing can have run.
fn status(board: &Board) -> &'static str {
    match (board.status, board.emulator) {
        (Status::Run, Some(Emulator::Qemu)) => "run in QEMU",
        (Status::Run, Some(Emulator::Rp2040js)) => "run in rp2040js",
        (Status::Run | Status::Links, _) => "links",
        (Status::Planned, _) => "planned",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_is_listed_within_100_columns_with_no_more_than_is_proven() {
        let boards: Vec<_> = Board::all().iter().collect();
        let table = table(&boards);
        assert_eq!(table.lines().count(), boards.len() + 1);
        assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
        for (board, line) in boards.iter().zip(table.lines().skip(1)) {
            assert!(line.starts_with(&format!("{} ", board.name)) && line.contains(status(board)), "{line}");
        }
        let board = Board { status: Status::Run, emulator: None, ..boards[0].clone() };
        assert_eq!(status(&board), "links");
    }
}
