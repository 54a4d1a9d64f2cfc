//! `cargo xtask boards`: the boards, how far each is proven, and whether its image would start.

mod check;
mod list;

use anyhow::{Result, ensure};
use clap::Args;
use osculate_lab::boards::{Board, Status};
use osculate_lab::firmware::{APPLICATION, has_application};

/// What to show.
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
    if options.check {
        let boards = chosen(&options.board, has_application)?;
        return check::run(&boards);
    }
    let boards = match options.board.as_slice() {
        [] => Board::all().iter().collect(),
        names => names.iter().map(|name| Board::named(name)).collect::<Result<Vec<_>>>()?,
    };
    list::print(&boards);
    Ok(())
}

/// The boards of these names, or all that can be built and `fit`.
///
/// # Errors
/// If a board is unknown or planned, or the application does not run on it.
pub(crate) fn chosen(names: &[String], fit: fn(&Board) -> bool) -> Result<Vec<&'static Board>> {
    if names.is_empty() {
        return Ok(Board::buildable().filter(|board| fit(board)).collect());
    }
    let boards = names.iter().map(|name| buildable(name)).collect::<Result<Vec<_>>>()?;
    for board in &boards {
        ensure!(
            has_application(board),
            "{0} has no sensor for {APPLICATION}; `cargo xtask dev build --board {0} --bin NAME` builds another binary",
            board.name
        );
    }
    Ok(boards)
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
