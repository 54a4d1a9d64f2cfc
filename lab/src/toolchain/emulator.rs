//! QEMU, `qemu-system-arm`: from the PATH, or else the private one unpacked by `cargo xtask setup`.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::{Missing, all_on_path, ambient, answer, cache_dir, first_fit, release_of};

/// The program's name.
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
    /// [`Missing::Qemu`], with a list of what was found instead.
    pub fn find() -> Result<Self, Missing> {
        static FOUND: OnceLock<Emulator> = OnceLock::new();
        if let Some(found) = FOUND.get() {
            return Ok(found.clone());
        }
        let private = private_folder().map(|folder| folder.join(PROGRAM)).filter(|program| program.exists());
        // A missing QEMU may be installed meanwhile, so only success is cached.
        let found = first_fit(all_on_path(PROGRAM).chain(private), said_version, is_new_enough);
        let (program, version) = found.map_err(|unfit| Missing::Qemu { unfit })?;
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
    parse_version(&answer(ambient(program).arg("--version"))?)
}

/// Whether this version of QEMU or of its package (`1:7.2+dfsg-7`) is new enough.
pub fn is_new_enough(version: &str) -> bool {
    release_of(version).is_some_and(|(major, _)| major >= OLDEST)
}

/// Parses `QEMU emulator version 7.2.22 (Debian …)`.
fn parse_version(text: &str) -> Option<String> {
    let version = text.strip_prefix("QEMU emulator version ")?.split_whitespace().next()?;
    Some(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_qemu_prints_them() {
        let said = "QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18+b3)\nCopyright (c) 2003-2022 Fabrice";
        assert_eq!(parse_version(said).as_deref(), Some("7.2.22"));
        assert_eq!(parse_version("error while loading shared libraries"), None);
        assert!(is_new_enough("6.0.0") && is_new_enough("1:10.0.2+ds-2~bpo12+1"));
        assert!(!is_new_enough("5.2.0") && !is_new_enough("1:5.2+dfsg-11+deb11u3") && !is_new_enough(""));
    }
}
