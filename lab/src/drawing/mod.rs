//! Pictures: a small SVG writer, charts, and the page around them.

mod axis;
mod chart;
pub mod ink;
mod legend;
pub mod page;
pub mod svg;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub use axis::Axis;
pub use chart::{Line, Mark, Panel, picture};

/// Writes `name.svg` into a folder, creating it if necessary.
///
/// # Errors
/// If it cannot be written.
pub fn write(svg: &str, folder: &Path, name: &str) -> Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    file(folder.join(name).with_extension("svg"), svg.as_bytes())
}

/// Writes a file and returns its path.
///
/// # Errors
/// If it cannot be written.
pub fn file(path: PathBuf, bytes: &[u8]) -> Result<PathBuf> {
    fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}
