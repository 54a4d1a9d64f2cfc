//! CSV files: lines of cells, each with its number for messages.
//!
//! Written here because line numbers and strict quotes matter more than speed: the `csv` crate counts lines wrongly after
//! blank ones, and takes a quote that is never closed for text.

use std::io::BufRead;

use anyhow::{Context, Result, bail};

/// A file, read line by line.
#[derive(Debug)]
pub struct Table<F> {
    file: F,
    number: u64,
    text: Vec<u8>,
}

impl<F: BufRead> Table<F> {
    /// From its first line on.
    pub fn new(file: F) -> Self {
        Self { file, number: 0, text: Vec::new() }
    }

    /// The cells of the next line that has something on it, and the line's number, counted from 1.
    ///
    /// A cell in quotes may contain commas, and quotes if they are doubled. Blanks around cells are not part of them.
    ///
    /// # Errors
    /// The line, and what is wrong with it.
    pub fn next_line(&mut self) -> Result<Option<(u64, Vec<String>)>> {
        loop {
            self.text.clear();
            self.number += 1;
            let number = self.number;
            let read = self.file.read_until(b'\n', &mut self.text);
            if read.with_context(|| format!("cannot read line {number}"))? == 0 {
                return Ok(None);
            }
            if number == 1 && self.text.starts_with("\u{feff}".as_bytes()) {
                self.text.drain(..3);
            }
            if !self.text.trim_ascii().is_empty() {
                break;
            }
        }
        let number = self.number;
        let text = str::from_utf8(&self.text).with_context(|| format!("line {number}: not UTF-8"))?;
        let cells = cells(text.trim_end_matches(['\r', '\n'])).with_context(|| format!("line {number}"))?;
        Ok(Some((number, cells)))
    }
}

fn cells(line: &str) -> Result<Vec<String>> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let (cell, after) = match rest.trim_start().strip_prefix('"') {
            Some(text) => quoted(text)?,
            None => {
                let (cell, after) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
                (cell.trim().into(), after)
            }
        };
        cells.push(cell);
        let after = after.trim();
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(cells),
            None => bail!("`{after}` follows a closed quote"),
        }
    }
}

/// The text up to the closing quote, and what follows it.
fn quoted(mut rest: &str) -> Result<(String, &str)> {
    let mut text = String::new();
    loop {
        let (piece, after) = rest.split_once('"').context("a quote is not closed")?;
        text += piece;
        match after.strip_prefix('"') {
            Some(more) => rest = more,
            None => return Ok((text, after)),
        }
        text.push('"');
    }
}
