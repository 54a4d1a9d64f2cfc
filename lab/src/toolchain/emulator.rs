//! QEMU, `qemu-system-arm`: from the PATH, or else the private one unpacked by `cargo xtask setup`.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use super::{Missing, all_on_path, ambient, answer, cache_dir};

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
    /// Where it comes from.
    pub source: Source,
    /// The version it reports, such as `7.2.22`.
    pub version: String,
}

/// Where a program comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A folder of the PATH: installed by the package manager or by hand.
    Path,
    /// The user's cache folder, where `cargo xtask setup` unpacked it.
    Private,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Path => "on the PATH",
            Source::Private => "private",
        })
    }
}

impl Emulator {
    /// The first suitable one, in the order of [`Source`]. Cached per process: the search takes some 0.1 s.
    ///
    /// # Errors
    /// [`Missing::Qemu`], with a list of what was found instead.
    pub fn find() -> Result<Self, Missing> {
        static FOUND: OnceLock<Emulator> = OnceLock::new();
        if let Some(found) = FOUND.get() {
            return Ok(found.clone());
        }
        // A missing QEMU may be installed meanwhile, so only success is cached.
        let found = choose(candidates(), said_version)?;
        Ok(FOUND.get_or_init(|| found).clone())
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

/// Major and minor version.
fn release_of(version: &str) -> Option<(u32, u32)> {
    let upstream = version.split_once(':').map_or(version, |(_, upstream)| upstream);
    let mut numbers = upstream.split(|c: char| !c.is_ascii_digit()).map(|digits| digits.parse().ok());
    Some((numbers.next()??, numbers.next().flatten().unwrap_or(0)))
}

fn candidates() -> impl Iterator<Item = (Source, PathBuf)> {
    let private = private_folder().map(|folder| folder.join(PROGRAM)).filter(|program| program.exists());
    let on_path = all_on_path(PROGRAM).map(|program| (Source::Path, program));
    on_path.chain(private.map(|program| (Source::Private, program)))
}

fn choose(
    candidates: impl IntoIterator<Item = (Source, PathBuf)>,
    version_of: impl Fn(&Path) -> Option<String>,
) -> Result<Emulator, Missing> {
    let (source, program, version) =
        first_fit(candidates, version_of, is_new_enough).map_err(|unfit| Missing::Qemu { unfit })?;
    Ok(Emulator { program, source, version })
}

/// The first candidate that reports a version which will do, and that version.
///
/// # Errors
/// For each candidate, why it will not do.
pub(super) fn first_fit(
    candidates: impl IntoIterator<Item = (Source, PathBuf)>,
    version_of: impl Fn(&Path) -> Option<String>,
    is_fit: impl Fn(&str) -> bool,
) -> Result<(Source, PathBuf, String), Vec<String>> {
    let mut unfit = Vec::new();
    for (source, program) in candidates {
        match version_of(&program) {
            Some(version) if is_fit(&version) => return Ok((source, program, version)),
            Some(version) => unfit.push(format!("{} is {version}", program.display())),
            None => unfit.push(format!("{} does not run", program.display())),
        }
    }
    Err(unfit)
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
        assert_eq!(parse_version("QEMU emulator version 9.0.50\n").as_deref(), Some("9.0.50"));
        assert_eq!(parse_version("error while loading shared libraries"), None);
        assert_eq!(parse_version(""), None);
    }

    #[test]
    fn a_release_is_its_first_two_numbers() {
        for (version, release) in [
            ("7.2.22", (7, 2)),
            ("8.1.0-rc3", (8, 1)),
            ("10.0.2", (10, 0)),
            ("1:6.2+dfsg-2ubuntu6", (6, 2)),
            ("9", (9, 0)),
        ] {
            assert_eq!(release_of(version), Some(release), "{version}");
        }
        assert_eq!(["", "unknown"].map(release_of), [None; 2]);
    }

    #[test]
    fn six_and_newer_will_do() {
        for version in
            ["6.0.0", "7.2.22", "8.1.0-rc3", "9.0.50", "10.0.2", "1:6.2+dfsg-2ubuntu6", "1:10.0.2+ds-2~bpo12+1"]
        {
            assert!(is_new_enough(version), "{version}");
        }
        for version in ["5.2.0", "2.11.1", "1:5.2+dfsg-11+deb11u3", "", "unknown"] {
            assert!(!is_new_enough(version), "{version}");
        }
    }

    #[test]
    fn the_path_comes_first_and_what_will_not_do_is_passed_over() {
        let version_of = |program: &Path| match program.to_str()? {
            "/old" => Some("5.2.0".to_owned()),
            "/broken" => None,
            _ => Some("7.2.22".to_owned()),
        };
        let chosen = |candidates: &[(Source, &str)]| {
            choose(candidates.iter().map(|(source, program)| (*source, PathBuf::from(program))), version_of)
        };
        let (on_path, private) = (Source::Path, Source::Private);
        let program = |candidates: &[(Source, &str)]| chosen(candidates).map(|found| (found.source, found.program));
        assert_eq!(program(&[(on_path, "/a"), (private, "/b")]), Ok((on_path, "/a".into())));
        assert_eq!(program(&[(on_path, "/old"), (on_path, "/a"), (private, "/b")]), Ok((on_path, "/a".into())));
        assert_eq!(program(&[(on_path, "/broken"), (private, "/b")]), Ok((private, "/b".into())));
        let missing = chosen(&[(on_path, "/old"), (private, "/broken")]).unwrap_err().to_string();
        assert_eq!(
            missing,
            "no `qemu-system-arm`, version 6 or newer (/old is 5.2.0, /broken does not run): run `cargo xtask setup`"
        );
        assert!(chosen(&[]).unwrap_err().to_string().starts_with("no `qemu-system-arm`, version 6 or newer: run"));
    }
}
