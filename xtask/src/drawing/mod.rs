//! Pictures: a small SVG writer.

pub(crate) mod axis;
pub(crate) mod ink;
pub(crate) mod legend;
pub(crate) mod scale;
pub(crate) mod svg;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Writes `name.svg` into a folder, creating it if necessary.
pub(crate) fn write(svg: &str, folder: &Path, name: &str) -> Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    file(folder.join(name).with_extension("svg"), svg.as_bytes())
}

/// Writes a file and returns its path.
pub(crate) fn file(path: PathBuf, bytes: &[u8]) -> Result<PathBuf> {
    fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}
