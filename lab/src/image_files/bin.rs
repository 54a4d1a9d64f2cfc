//! Bare bytes: the first one belongs to the lowest address, gaps are filled with [`PADDING`].

use anyhow::{Context, Result, ensure};

use super::content::{Content, PADDING};

/// More than any chip here has. Beyond it, a part is at a wrong address and the file would be mostly padding.
const MOST: u64 = 16 << 20;

/// The bytes of the file.
///
/// # Errors
/// If there is nothing to write, or its parts are too far apart to be in one flash.
pub fn write(content: &Content) -> Result<Vec<u8>> {
    let first = content.start().context("there is nothing to write")?;
    let mut file = Vec::new();
    for (start, bytes) in content.parts() {
        let at = start - first;
        ensure!(
            u64::from(at) + bytes.len() as u64 <= MOST,
            "{first:#010x} and {start:#010x} are too far apart for one file of bytes"
        );
        file.resize(at as usize, PADDING);
        file.extend(bytes);
    }
    Ok(file)
}

/// What a file holds whose first byte belongs to `start`: the format does not say where.
///
/// # Errors
/// If it is empty or too long.
pub fn read(file: &[u8], start: u32) -> Result<Content> {
    ensure!(!file.is_empty(), "the file is empty");
    let mut content = Content::default();
    content.add(start, file)?;
    Ok(content)
}
