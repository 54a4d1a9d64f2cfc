//! A CSV file into a [`Trace`].

use std::collections::HashMap;
use std::io::BufRead;

use anyhow::{Context, Result, bail, ensure};

use super::Arith;
use super::trace::Trace;

const FIRST_COLUMNS: [&str; 3] = ["episode", "state", "reward"];
const HEADER: &str = "`episode,state,reward,phi0,phi1,…`";

/// Reads `episode,state,reward,phi0,…,phi{n-1}`, one line per step; an episode ends where its number changes.
///
/// A state may be any text. Numbers are rounded from their decimals once, to the `f64` or `f32` that the arithmetic learns
/// from; what is infinite or NaN is for the learner to drop.
///
/// # Errors
/// The line, counted from 1, and what is wrong with it.
pub fn read(mut file: impl BufRead, arith: Arith) -> Result<Trace> {
    let mut lines = Lines { file: &mut file, number: 0, text: Vec::new() };
    let header = lines.next()?.with_context(|| format!("the file is empty; it should start with {HEADER}"))?;
    let columns = columns(header)?;

    let mut trace = Trace::new(columns.len() - FIRST_COLUMNS.len());
    let mut current = None;
    let mut states = HashMap::new();
    while let Some((number, line)) = lines.next()? {
        let cells = cells(line).with_context(|| format!("line {number}"))?;
        ensure!(
            cells.len() == columns.len(),
            "line {number}: {} columns, but the header has {}",
            cells.len(),
            columns.len()
        );
        let cell = |column: usize| {
            let name = &columns[column];
            (cells[column].as_str(), move || format!("line {number}, column `{name}`"))
        };
        let (text, place) = cell(0);
        let episode: i64 = text.parse().ok().with_context(|| format!("{}: `{text}` is no whole number", place()))?;
        if current != Some(episode) {
            current = Some(episode);
            states.clear();
            trace.begin_episode(number);
        }
        let values = (2..columns.len()).map(|column| {
            let (text, place) = cell(column);
            arith.decimal(text).with_context(|| format!("{}: `{text}` is no number", place()))
        });
        let values = values.collect::<Result<Vec<f64>>>()?;
        let unseen = u32::try_from(states.len()).with_context(|| format!("line {number}: too many states"))?;
        trace.push(*states.entry(cells[1].clone()).or_insert(unseen), values);
    }
    ensure!(trace.steps() > 0, "there is nothing but a header; each line after it is one step");
    Ok(trace)
}

fn columns((number, line): (u64, &str)) -> Result<Vec<String>> {
    let names = cells(line).with_context(|| format!("line {number}"))?;
    let expected = |column: usize| match FIRST_COLUMNS.get(column) {
        Some(name) => (*name).into(),
        None => format!("phi{}", column - FIRST_COLUMNS.len()),
    };
    for (column, name) in names.iter().enumerate() {
        let expected = expected(column);
        ensure!(
            *name == expected,
            "line {number}: column {} of the header is `{name}` and should be `{expected}`; a header is {HEADER}",
            column + 1
        );
    }
    ensure!(names.len() > FIRST_COLUMNS.len(), "line {number}: the header has no features; it should be {HEADER}");
    Ok(names)
}

/// Splits a line at its commas. A cell in quotes may contain commas, and quotes if they are doubled.
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

/// The lines that have something on them, with their numbers.
struct Lines<'f, F> {
    file: &'f mut F,
    number: u64,
    text: Vec<u8>,
}

impl<F: BufRead> Lines<'_, F> {
    fn next(&mut self) -> Result<Option<(u64, &str)>> {
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
        let text = str::from_utf8(&self.text).with_context(|| format!("line {}: not UTF-8", self.number))?;
        Ok(Some((self.number, text.trim_end_matches(['\r', '\n']))))
    }
}
