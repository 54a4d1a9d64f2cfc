//! The user's cache folder, which holds what setup unpacks.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use osculate_lab::toolchain::cache_dir;

use super::step;

/// The folder, locked by this process: two setups would share their drafts.
pub(super) struct Cache {
    pub(super) folder: PathBuf,
    /// Released when the process ends, however it ends.
    _lock: File,
}

impl Cache {
    /// Creates the folder if necessary, and waits until no other setup holds it.
    pub(super) fn open() -> Result<Self> {
        let folder = cache_dir().context("no cache folder: set HOME or XDG_CACHE_HOME")?;
        let lock = fs::create_dir_all(&folder).and_then(|()| File::create(folder.join("lock")));
        let lock = lock
            .with_context(|| format!("cannot write {}: set XDG_CACHE_HOME to a folder of yours", folder.display()))?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            step::say("note", "waiting for another setup");
        }
        lock.lock()?;
        Ok(Self { folder, _lock: lock })
    }
}

/// Removes a folder that may not exist.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
