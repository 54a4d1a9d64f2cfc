//! CSV files: records of cells, each with its line number for messages.
//!
//! Our own parser, because line numbers and strict quoting matter more than speed. The `csv` crate (1.4) miscounts
//! lines after blank ones and is off by one with Windows line endings. It accepts a quote that is never closed, joins
//! text after a closing quote to the cell, and treats quotes after a blank as part of the cell.

use std::io::{BufRead, ErrorKind};

use anyhow::{Context, Result, anyhow, ensure};

/// A file that is read record by record.
#[derive(Debug)]
pub struct Table<F> {
    file: F,
    /// The number of lines read.
    lines: u64,
    /// The lines of the current record.
    text: String,
}

impl<F: BufRead> Table<F> {
    /// Starts at the first line.
    pub fn new(file: F) -> Self {
        Self { file, lines: 0, text: String::new() }
    }

    /// The cells of the next line that is not empty, and its line number, counted from 1.
    ///
    /// A quoted cell may contain commas, line breaks, and doubled quotes. Blanks around cells are dropped.
    ///
    /// # Errors
    /// The line, and what is wrong with it.
    pub fn next_line(&mut self) -> Result<Option<(u64, Vec<String>)>> {
        self.text.clear();
        while self.text.trim().is_empty() {
            self.text.clear();
            if !self.append_line()? {
                return Ok(None);
            }
            if self.lines == 1 && self.text.starts_with('\u{feff}') {
                self.text.remove(0);
            }
        }
        let number = self.lines;
        let cells = self.cells().with_context(|| format!("line {number}"))?;
        Ok(Some((number, cells)))
    }

    /// Adds a line to the text, unless the file has ended.
    fn append_line(&mut self) -> Result<bool> {
        self.lines += 1;
        let read = self.file.read_line(&mut self.text).map_err(|error| match error.kind() {
            ErrorKind::InvalidData => anyhow!("line {}: not UTF-8", self.lines),
            _ => anyhow!(error).context(format!("cannot read line {}", self.lines)),
        })?;
        Ok(read > 0)
    }

    fn cells(&mut self) -> Result<Vec<String>> {
        let mut cells = Vec::new();
        let mut from = 0;
        loop {
            let rest = &self.text[from..];
            let (cell, end) = match rest.trim_start().strip_prefix('"') {
                Some(quoted) => self.quoted(self.text.len() - quoted.len())?,
                None => {
                    let length = rest.find(',').unwrap_or(rest.len());
                    (rest[..length].trim().into(), from + length)
                }
            };
            cells.push(cell);
            let after = self.text[end..].trim();
            if after.is_empty() {
                return Ok(cells);
            }
            ensure!(after.starts_with(','), "`{after}` follows a closed quote");
            from = self.text.len() - self.text[end..].trim_start().len() + 1;
        }
    }

    /// The text from there up to the closing quote, and the position after it. Reads further lines as needed.
    fn quoted(&mut self, mut from: usize) -> Result<(String, usize)> {
        let mut cell = String::new();
        loop {
            let Some(length) = self.text[from..].find('"') else {
                cell += &self.text[from..];
                from = self.text.len();
                ensure!(self.append_line()?, "a quote is not closed");
                continue;
            };
            cell += &self.text[from..from + length];
            from += length + 1;
            if !self.text[from..].starts_with('"') {
                return Ok((cell, from));
            }
            cell.push('"');
            from += 1;
        }
    }
}
