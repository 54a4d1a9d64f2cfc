//! QEMU, `qemu-system-arm`: from the PATH, or else the private one unpacked by `cargo xtask setup`.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Result, anyhow};

use super::{all_on_path, ambient, answer, cache_dir, first_fit, release_of};

/// The program's name, which is also that of Debian's package.
pub const PROGRAM: &str = "qemu-system-arm";

/// The oldest supported major version of QEMU. (Features of later versions report an error if they are missing: see
/// [`COMPASS_SINCE`](crate::nexting::COMPASS_SINCE).)
pub const OLDEST: u32 = 6;

/// A QEMU that runs and is new enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Emulator {
    /// The program to start.
    pub program: PathBuf,
    /// The version it reports, such as `7.2.22`.
    pub version: String,
}

impl Emulator {
    /// The first suitable one: on the PATH, or else in [`private_folder`]. Cached per process: the search takes some
    /// 0.1 s.
    ///
    /// # Errors
    /// If there is none; lists what was found instead.
    pub fn find() -> Result<Self> {
        static FOUND: OnceLock<Emulator> = OnceLock::new();
        if let Some(found) = FOUND.get() {
            return Ok(found.clone());
        }
        let private = private_folder().map(|folder| folder.join(PROGRAM)).filter(|program| program.exists());
        // A missing QEMU may be installed meanwhile, so only success is cached.
        let found = first_fit(all_on_path(PROGRAM).chain(private), said_version, OLDEST);
        let (program, version) = found
            .map_err(|unfit| anyhow!("no `{PROGRAM}`, version {OLDEST} or newer{unfit}: run `cargo xtask setup`"))?;
        Ok(FOUND.get_or_init(|| Emulator { program, version }).clone())
    }

    /// Major and minor version, which decide the options it accepts.
    pub fn release(&self) -> (u32, u32) {
        release_of(&self.version).unwrap_or((OLDEST, 0))
    }
}

/// The folder of the private QEMU, whether it exists or not; `None` for a user without a cache folder.
pub fn private_folder() -> Option<PathBuf> {
    Some(cache_dir()?.join("qemu"))
}

/// The version reported by `program --version`, such as `7.2.22`; `None` if it does not run or prints something else.
pub fn said_version(program: &Path) -> Option<String> {
    // `QEMU emulator version 7.2.22 (Debian …)`.
    let said = answer(ambient(program).arg("--version"))?;
    Some(said.strip_prefix("QEMU emulator version ")?.split_whitespace().next()?.to_owned())
}
