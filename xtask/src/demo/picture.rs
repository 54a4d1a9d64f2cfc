//! A run as a picture: as SVG, as PNG, and in a page of its own.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use osculate_host_tests::room::story::Story;

mod curve;
mod evening;
mod figure;
mod ink;
mod page;
mod png;
#[cfg(test)]
pub(crate) mod sample;
mod scale;
mod svg;
#[cfg(test)]
mod tests;

/// What was written.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    /// The picture.
    pub(crate) svg: PathBuf,
    /// The same, as pixels.
    pub(crate) png: PathBuf,
    /// The same in a page, with numbers; it needs no other file.
    pub(crate) html: PathBuf,
}

/// Writes `room.svg`, `room.png` and `room.html` into a folder, which is made if it is not there.
///
/// `command` is what repeats the run.
pub(crate) fn draw(story: &Story, command: &str, folder: &Path) -> Result<Files> {
    ensure!(!story.evenings.is_empty(), "a run without an evening makes no picture");
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let svg = figure::svg(story);
    let page = page::html(story, &svg, command);
    Ok(Files {
        png: written(folder.join("room.png"), &png::of(&svg)?)?,
        html: written(folder.join("room.html"), page.as_bytes())?,
        svg: written(folder.join("room.svg"), svg.as_bytes())?,
    })
}

fn written(path: PathBuf, bytes: &[u8]) -> Result<PathBuf> {
    fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}
