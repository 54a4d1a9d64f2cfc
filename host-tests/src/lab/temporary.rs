//! Files that are gone in the end.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

use anyhow::{Context, Result, ensure};

/// A folder that is gone, with all that is in it, when this is dropped.
#[derive(Debug)]
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// An empty one.
    ///
    /// # Errors
    /// Where it cannot be created.
    pub fn new() -> Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("osculate-{}-{count}", process::id()));
        fs::create_dir(&path).with_context(|| format!("cannot create the folder {}", path.display()))?;
        Ok(Self(path))
    }

    /// The path of a file in it, which the firmware and QEMU's options can name.
    ///
    /// # Errors
    /// Where they cannot.
    pub fn file(&self, name: &str) -> Result<String> {
        let path = self.0.join(name).into_os_string().into_string();
        let path = path.map_err(|path| anyhow::anyhow!("{} is not UTF-8", path.display()))?;
        ensure!(
            path.len() < 100 && !path.contains([' ', '\t', '"', '\'', ',']),
            "a board cannot open {path}: set TMPDIR to a folder with a short path, without blanks, quotes and commas"
        );
        Ok(path)
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // Nothing else can be done here; the system clears its folder for temporary files in time.
        _ = fs::remove_dir_all(&self.0);
    }
}
