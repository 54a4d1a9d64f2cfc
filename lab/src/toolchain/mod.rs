//! Finds the compiler for Cortex-M and the emulators. It never installs them.
//!
//! Nothing here changes the machine or uses the network, so tests may call it. `cargo xtask setup` installs anything
//! that is missing.

use std::env;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

pub mod emulator;
mod environment;
pub mod rp2040js;

/// The Cortex-M targets of all boards: M0 to M33, soft and hard float.
pub const TARGETS: &[&str] =
    &["thumbv6m-none-eabi", "thumbv7m-none-eabi", "thumbv7em-none-eabihf", "thumbv8m.main-none-eabihf"];

/// Something that the lab needs and that this machine lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Missing {
    /// No working `rustc` on the PATH.
    Compiler,
    /// The compiler has no `core` for these targets.
    Targets(Vec<&'static str>),
    /// No working QEMU that is new enough.
    Qemu {
        /// Each candidate, and why it was rejected.
        unfit: Vec<String>,
    },
    /// No node that is new enough to run rp2040js.
    Node {
        /// Each candidate, and why it was rejected.
        unfit: Vec<String>,
    },
    /// No rp2040js.
    Rp2040js,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed =
            |unfit: &[String]| if unfit.is_empty() { String::new() } else { format!(" ({})", unfit.join(", ")) };
        match self {
            Missing::Compiler => f.write_str("no working `rustc` on the PATH: install rustup, from https://rustup.rs"),
            Missing::Targets(targets) => {
                write!(f, "the compiler has no `core` for {}: run `cargo xtask setup`", targets.join(", "))
            }
            Missing::Qemu { unfit } => {
                let (program, oldest) = (emulator::PROGRAM, emulator::OLDEST);
                write!(f, "no `{program}`, version {oldest} or newer{}: run `cargo xtask setup`", listed(unfit))
            }
            Missing::Node { unfit } => {
                let (program, oldest) = (rp2040js::NODE, rp2040js::OLDEST_NODE);
                write!(
                    f,
                    "no `{program}`, version {oldest} or newer{}: install node, from https://nodejs.org",
                    listed(unfit)
                )
            }
            Missing::Rp2040js => {
                write!(f, "no rp2040js {}: run `cargo xtask setup --pico`", rp2040js::VERSION)
            }
        }
    }
}

impl Error for Missing {}

/// The sysroot of the `rustc` on the PATH, if it has `core` for all [`TARGETS`]. Takes some 0.1 s.
///
/// # Errors
/// What is missing.
pub fn compiler() -> Result<PathBuf, Missing> {
    let sysroot = answer(ambient("rustc").args(["--print", "sysroot"])).map(PathBuf::from).ok_or(Missing::Compiler)?;
    let missing = missing_targets(&sysroot);
    if missing.is_empty() { Ok(sysroot) } else { Err(Missing::Targets(missing)) }
}

/// A `cargo` command that builds for Cortex-M, in the environment of [`ambient`].
///
/// # Errors
/// What [`compiler`] lacks.
pub fn cargo() -> Result<Command, Missing> {
    compiler().map(|_| ambient("cargo"))
}

/// The program of the [`Emulator`](emulator::Emulator).
///
/// # Errors
/// [`Missing::Qemu`].
pub fn qemu() -> Result<PathBuf, Missing> {
    emulator::Emulator::find().map(|emulator| emulator.program)
}

/// A command whose environment lacks everything that an outer `cargo` or the user set for *host* builds (flags, target
/// and target folder, wrappers), so that it behaves the same in a shell, in `cargo xtask` and in `cargo test`.
pub fn ambient(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    environment::clean(&mut command);
    command
}

/// The [`TARGETS`] that have no `core` in this sysroot.
pub fn missing_targets(sysroot: &Path) -> Vec<&'static str> {
    TARGETS.iter().copied().filter(|target| !has_core(sysroot, target)).collect()
}

/// The first executable of this name on the PATH.
pub fn on_path(name: &str) -> Option<PathBuf> {
    all_on_path(name).next()
}

fn all_on_path(name: &str) -> impl Iterator<Item = PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    let folders: Vec<_> = env::var_os("PATH").iter().flat_map(env::split_paths).collect();
    folders.into_iter().map(move |folder| folder.join(&file)).filter(|path| is_executable(path))
}

/// The first program that reports a version which will do, and that version.
///
/// # Errors
/// For each program, why it will not do.
fn first_fit(
    programs: impl IntoIterator<Item = PathBuf>,
    version_of: impl Fn(&Path) -> Option<String>,
    is_fit: impl Fn(&str) -> bool,
) -> Result<(PathBuf, String), Vec<String>> {
    let mut unfit = Vec::new();
    for program in programs {
        match version_of(&program) {
            Some(version) if is_fit(&version) => return Ok((program, version)),
            Some(version) => unfit.push(format!("{} is {version}", program.display())),
            None => unfit.push(format!("{} does not run", program.display())),
        }
    }
    Err(unfit)
}

/// Major and minor version of a program or of its package (`1:7.2+dfsg-7`).
fn release_of(version: &str) -> Option<(u32, u32)> {
    let upstream = version.split_once(':').map_or(version, |(_, upstream)| upstream);
    let mut numbers = upstream.split(|c: char| !c.is_ascii_digit()).map(|digits| digits.parse().ok());
    Some((numbers.next()??, numbers.next().flatten().unwrap_or(0)))
}

/// The standard output of a command, trimmed; `None` if it cannot be run or fails.
pub fn answer(command: &mut Command) -> Option<String> {
    // A query must not make rustup download a toolchain.
    let output = command.env("RUSTUP_AUTO_INSTALL", "0").output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The user's cache folder for osculate: `$XDG_CACHE_HOME/osculate`, or else `~/.cache/osculate` (on macOS
/// `~/Library/Caches/osculate`); `None` for a user without a home. It need not exist.
pub fn cache_dir() -> Option<PathBuf> {
    cache_dir_from(env::var_os("XDG_CACHE_HOME"), env::home_dir(), cfg!(target_os = "macos"))
}

fn cache_dir_from(xdg: Option<OsString>, home: Option<PathBuf>, macos: bool) -> Option<PathBuf> {
    // The XDG specification says to ignore relative paths.
    let xdg = xdg.map(PathBuf::from).filter(|path| path.is_absolute());
    let home = home.filter(|path| path.is_absolute());
    let in_home = if macos { "Library/Caches" } else { ".cache" };
    Some(xdg.or_else(|| Some(home?.join(in_home)))?.join("osculate"))
}

fn has_core(sysroot: &Path, target: &str) -> bool {
    let libraries = sysroot.join("lib/rustlib").join(target).join("lib");
    libraries.read_dir().into_iter().flatten().flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("libcore-") && name.ends_with(".rlib")
    })
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_cache_follows_xdg_then_the_home_folder() {
        let home = || Some(PathBuf::from("/home/ada"));
        assert_eq!(cache_dir_from(Some("/x".into()), home(), false), Some("/x/osculate".into()));
        assert_eq!(cache_dir_from(Some("x".into()), home(), false), Some("/home/ada/.cache/osculate".into()));
        assert_eq!(cache_dir_from(None, home(), true), Some("/home/ada/Library/Caches/osculate".into()));
        assert_eq!(cache_dir_from(Some("".into()), None, false), None);
    }

    #[test]
    fn what_is_missing_is_named_with_its_remedy() {
        assert_eq!(missing_targets(Path::new("/nonexistent")), TARGETS);
        let text = Missing::Targets(vec!["thumbv6m-none-eabi", "thumbv7m-none-eabi"]).to_string();
        assert!(text.contains("thumbv6m-none-eabi, thumbv7m-none-eabi") && text.contains("`cargo xtask setup`"));
    }

    #[test]
    fn a_release_is_its_first_two_numbers() {
        for (version, release) in [
            ("7.2.22", (7, 2)),
            ("8.1.0-rc3", (8, 1)),
            ("1:6.2+dfsg-2ubuntu6", (6, 2)),
            ("18.20.4+dfsg-1", (18, 20)),
            ("9", (9, 0)),
        ] {
            assert_eq!(release_of(version), Some(release), "{version}");
        }
        assert_eq!(["", "unknown"].map(release_of), [None; 2]);
    }

    #[test]
    fn what_will_not_do_is_passed_over_and_named() {
        let version_of = |program: &Path| (program != Path::new("/broken")).then(|| program.display().to_string());
        let found =
            |programs: &[&str]| first_fit(programs.iter().map(PathBuf::from), version_of, |version| version == "/new");
        assert_eq!(found(&["/old", "/broken", "/new"]), Ok(("/new".into(), "/new".into())));
        assert_eq!(found(&["/old", "/broken"]), Err(vec!["/old is /old".into(), "/broken does not run".into()]));
    }
}
