//! Reads a CSV file into a [`Trace`].

use std::collections::HashMap;
use std::io::BufRead;
use std::mem;

use anyhow::{Context, Result, ensure};

use super::trace::Trace;
use crate::table::Table;

const FIRST_COLUMNS: [&str; 3] = ["episode", "state", "reward"];
const HEADER: &str = "`episode,state,reward,phi0,phi1,…`";

/// Reads `episode,state,reward,phi0,…,phi{n-1}`, one line per step; an episode ends where its number changes.
///
/// A state may be any text. Numbers are rounded once, from decimal to `f32`. Infinities and NaNs are kept for the
/// learner to drop.
///
/// # Errors
/// The line, counted from 1, and what is wrong with it.
pub fn read(file: impl BufRead) -> Result<Trace> {
    let mut table = Table::new(file);
    let header = table.next_line()?.with_context(|| format!("the file is empty; it should start with {HEADER}"))?;
    let columns = columns(header)?;

    let mut trace = Trace::new(columns.len() - FIRST_COLUMNS.len());
    let mut current = None;
    let mut states = HashMap::new();
    while let Some((number, mut cells)) = table.next_line()? {
        ensure!(
            cells.len() == columns.len(),
            "line {number}: {} columns, but the header has {}",
            cells.len(),
            columns.len()
        );
        let is_no = |what: &str, column: usize| {
            format!("line {number}, column `{}`: `{}` is no {what}", columns[column], cells[column])
        };
        let episode: i64 = cells[0].parse().ok().with_context(|| is_no("whole number", 0))?;
        if current != Some(episode) {
            current = Some(episode);
            states.clear();
            trace.begin_episode(number);
        }
        let values =
            (2..columns.len()).map(|column| cells[column].parse::<f32>().ok().with_context(|| is_no("number", column)));
        let values = values.collect::<Result<Vec<f32>>>()?;
        let unseen = u32::try_from(states.len()).with_context(|| format!("line {number}: too many states"))?;
        trace.push(*states.entry(mem::take(&mut cells[1])).or_insert(unseen), values);
    }
    ensure!(trace.steps() > 0, "there is nothing but a header; each line after it is one step");
    Ok(trace)
}

fn columns((number, names): (u64, Vec<String>)) -> Result<Vec<String>> {
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
