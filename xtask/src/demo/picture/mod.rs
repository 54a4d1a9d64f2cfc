//! Draws a run: as SVG, and as an HTML page.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use osculate_lab::room::run_log::RunLog;

use super::neighbours::Neighbours;
use osculate_lab::drawing;

mod charts;
mod page;
#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

pub(in crate::demo) use charts::compared;

/// The files written.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    /// The picture.
    pub(crate) svg: PathBuf,
    /// The picture and the numbers as a self-contained page.
    pub(crate) html: PathBuf,
}

/// Writes `room.svg` and `room.html` into a folder, creating it if necessary.
///
/// `command` repeats the run.
pub(crate) fn draw(run: &RunLog, neighbours: &Neighbours, command: &str, folder: &Path) -> Result<Files> {
    ensure!(!run.evenings.is_empty(), "a run without an evening makes no picture");
    let figure = charts::svg(run, neighbours);
    let page = page::html(run, neighbours, &figure, command);
    let svg = drawing::write(&figure, folder, "room")?;
    Ok(Files { svg, html: drawing::file(folder.join("room.html"), page.as_bytes())? })
}
