//! The boards that have a bus for sensors.

use anyhow::{Context, Result};
use osculate_lab::boards::Board;

/// The board of this name, or the default one.
pub(crate) fn board(name: Option<&str>) -> Result<&'static Board> {
    let able: Vec<&Board> = Board::all().iter().filter(|board| board.sensors).collect();
    let board = able.iter().copied().find(|board| name.is_none_or(|name| board.name == name));
    board.with_context(|| {
        let names: Vec<&str> = able.iter().map(|board| board.name.as_str()).collect();
        let (last, others) = names.split_last().unwrap_or((&"none", &[]));
        let all = if others.is_empty() { (*last).to_owned() } else { format!("{} or {last}", others.join(", ")) };
        format!("`--board {}`: this needs a board with a bus for sensors; choose {all}", name.unwrap_or_default())
    })
}
