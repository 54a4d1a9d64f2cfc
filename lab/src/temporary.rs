//! Temporary folders whose paths are safe for a board and for QEMU.

use std::process;

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

/// A folder that is removed with all its contents when this is dropped.
#[derive(Debug)]
pub struct TemporaryFolder(TempDir);

impl TemporaryFolder {
    /// Creates an empty folder.
    pub fn new() -> Result<Self> {
        // The process id shows the owner; the name is unique without it.
        let prefix = format!("osculate-{}-", process::id());
        let folder = tempfile::Builder::new().prefix(&prefix).tempdir();
        Ok(Self(folder.context("cannot create a temporary folder")?))
    }

    /// The path of a file in it, safe to use in the firmware's command line and in QEMU's options.
    ///
    /// # Errors
    /// If the path is not safe there.
    pub fn file(&self, name: &str) -> Result<String> {
        let path = self.0.path().join(name).into_os_string().into_string();
        let path = path.map_err(|path| anyhow::anyhow!("{} is not UTF-8", path.display()))?;
        ensure!(
            path.len() < 100 && !path.contains([' ', '\t', '"', '\'', ',']),
            "a board cannot open {path}: set TMPDIR to a folder with a short path, without blanks, quotes and commas"
        );
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn it_is_gone_when_it_is_dropped() {
        let folder = TemporaryFolder::new().unwrap();
        let file = folder.file("name").unwrap();
        fs::write(&file, "").unwrap();
        drop(folder);
        assert!(!fs::exists(file).unwrap());
    }
}
