//! Files that a board's flash is written from: Intel hex for the drive of a micro:bit, UF2 for that of a Pico.

mod content;
pub mod hex;
pub mod uf2;

use anyhow::Result;

pub use self::content::{Content, PADDING};
use super::boards::Board;

/// The file that the USB drive of a board takes: the end of its name, and its bytes.
pub fn for_drive(board: &Board, elf: &[u8]) -> Result<(&'static str, Vec<u8>)> {
    let content = Content::of_elf(elf)?;
    Ok(match board.uf2 {
        Some(family) => ("uf2", uf2::write(&content, family)),
        None => ("hex", hex::write(&content)?.into_bytes()),
    })
}
