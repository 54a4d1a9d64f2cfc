//! The formats of image files, and a way to save each that proves itself.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::content::Content;
use super::{bin, hex, uf2};
use crate::boards::Board;

/// A format of image files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// With symbols and the texts of the log: for probes and debuggers.
    Elf,
    /// Intel hex.
    Hex,
    /// Bare bytes from the lowest address on.
    Bin,
    /// For the drives of boot ROMs.
    Uf2,
}

impl Format {
    /// The formats that a board can be flashed from.
    pub fn of(board: &Board) -> Vec<Self> {
        let all = [Format::Elf, Format::Hex, Format::Bin];
        all.into_iter().chain(board.uf2.map(|_| Format::Uf2)).collect()
    }

    /// The format that the drive of a board takes.
    pub fn of_drive(board: &Board) -> Self {
        if board.uf2.is_some() { Format::Uf2 } else { Format::Hex }
    }

    /// The end of a file's name.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Elf => "elf",
            Format::Hex => "hex",
            Format::Bin => "bin",
            Format::Uf2 => "uf2",
        }
    }

    /// Saves what is to be flashed, then reads the file and compares it with the ELF file. Returns the file's size.
    ///
    /// # Errors
    /// If the file cannot be written, or reads differently.
    pub fn save(self, board: &Board, elf: &[u8], path: &Path) -> Result<usize> {
        let content = Content::of_elf(elf)?;
        let family = || board.uf2.with_context(|| format!("{} has no family for UF2", board.name));
        let file = match self {
            Format::Elf => elf.to_vec(),
            Format::Hex => hex::write(&content)?.into_bytes(),
            Format::Bin => bin::write(&content)?,
            Format::Uf2 => uf2::write(&content, family()?)?,
        };
        fs::write(path, &file).with_context(|| format!("cannot write {}", path.display()))?;
        self.verify(board, elf, path)?;
        Ok(file.len())
    }

    /// Whether a file holds exactly what the ELF file does.
    ///
    /// # Errors
    /// If it cannot be read, or differs.
    pub fn verify(self, board: &Board, elf: &[u8], path: &Path) -> Result<()> {
        let wrong = || format!("{} does not hold what was linked", path.display());
        let file = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let content = Content::of_elf(elf)?;
        let read = match (self, board.uf2) {
            (Format::Elf, _) => Content::of_elf(&file),
            (Format::Hex, _) => String::from_utf8(file).context("not a text").and_then(|text| hex::read(&text)),
            (Format::Bin, _) => bin::read(&file, content.start().unwrap_or(0)),
            (Format::Uf2, Some(family)) => uf2::read(&file, family),
            (Format::Uf2, None) => bail!("{} has no family for UF2", board.name),
        };
        read.and_then(|read| content.compare(&read)).with_context(wrong)
    }
}
