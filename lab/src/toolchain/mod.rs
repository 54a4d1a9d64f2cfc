//! Finds the compiler for Cortex-M and the emulators. It never installs them.
//!
//! Nothing here changes the machine or uses the network, so tests may call it. `cargo xtask setup` installs anything
//! that is missing.

use std::{
    env,
    error::Error,
    ffi::{OsStr, OsString},
    fmt,
    path::{Path, PathBuf},
    process::Command,
};

pub mod emulator;
mod environment;
pub mod matched;
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
    /// The compiler has every target, but no `rust-lld` to link with.
    Linker,
    /// No working QEMU that is new enough.
    Qemu {
        /// Each candidate, and why it was rejected.
        unfit: Vec<String>,
    },
    /// No rp2040js, or no node to run it.
    Rp2040js {
        /// The part that is missing, or why it will not do.
        unfit: Vec<String>,
    },
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Compiler => f.write_str("no working `rustc` on the PATH")?,
            Missing::Targets(targets) => write!(f, "the compiler has no `core` for {}", targets.join(", "))?,
            Missing::Linker => f.write_str("the compiler has no `rust-lld`, the linker for Cortex-M")?,
            Missing::Qemu { unfit } => {
                write!(f, "no `{}`, version {} or newer{}", emulator::PROGRAM, emulator::OLDEST, listed(unfit))?;
            }
            Missing::Rp2040js { unfit } => {
                write!(f, "no rp2040js {}, which runs the Pico{}", rp2040js::VERSION, listed(unfit))?;
            }
        }
        f.write_str(": run `cargo xtask setup`")
    }
}

impl Error for Missing {}

fn listed(unfit: &[String]) -> String {
    if unfit.is_empty() { String::new() } else { format!(" ({})", unfit.join(", ")) }
}

/// Where a [`Toolchain`] comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The `rustc` and `cargo` on the PATH: rustup's active toolchain or the distribution's compiler.
    Ambient,
    /// The folder that `cargo xtask setup` built around the distribution's compiler, see [`matched`].
    Matched,
}

/// A compiler that has `core` and a linker for all [`TARGETS`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolchain {
    origin: Origin,
    sysroot: PathBuf,
}

impl Toolchain {
    /// The ambient toolchain if it is complete, otherwise the matched one. Takes some 0.1 s.
    ///
    /// # Errors
    /// The part that the *ambient* toolchain lacks, if neither is complete.
    pub fn find() -> Result<Self, Missing> {
        Self::ambient().or_else(|missing| Self::matched().ok_or(missing))
    }

    fn ambient() -> Result<Self, Missing> {
        let sysroot = ambient_sysroot().ok_or(Missing::Compiler)?;
        // A matched toolchain that is also rustup's active one: its `core` may be older than its compiler, and only
        // `matched` checks that.
        if is_within_cache(&sysroot) {
            return Err(Missing::Targets(TARGETS.to_vec()));
        }
        let missing = missing_targets(&sysroot);
        if !missing.is_empty() {
            return Err(Missing::Targets(missing));
        }
        linker_of(&sysroot).ok_or(Missing::Linker)?;
        Ok(Self { origin: Origin::Ambient, sysroot })
    }

    fn matched() -> Option<Self> {
        let compiler = matched::Compiler::find()?;
        let sysroot = matched::folder(&compiler)?;
        matched::is_complete(&sysroot, &compiler).then_some(Self { origin: Origin::Matched, sysroot })
    }

    /// Where it comes from.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// The folder that holds `lib/rustlib/TARGET` for every target.
    pub fn sysroot(&self) -> &Path {
        &self.sysroot
    }

    /// The linker for Cortex-M.
    pub fn linker(&self) -> Option<PathBuf> {
        linker_of(&self.sysroot)
    }

    /// A `cargo` command that builds with this toolchain, `clippy` included.
    ///
    /// Its environment lacks everything that an outer `cargo` or the user set for *host* builds (flags, target and
    /// target folder, wrappers), so it behaves the same in a shell, in `cargo xtask` and in `cargo test`.
    pub fn cargo(&self) -> Command {
        self.program("cargo")
    }

    /// A `rustc` command of this toolchain, in the same environment as [`cargo`](Self::cargo).
    pub fn rustc(&self) -> Command {
        self.program("rustc")
    }

    fn program(&self, name: &str) -> Command {
        match self.origin {
            // RUSTUP_TOOLCHAIN stays: rustup's `cargo` sets it for its children, and it names this toolchain.
            Origin::Ambient => ambient(name),
            Origin::Matched => {
                let bin = self.sysroot.join("bin");
                let mut command = ambient(bin.join(name));
                command.env_remove("RUSTUP_TOOLCHAIN").env("PATH", environment::path_led_by(&bin));
                command
            }
        }
    }
}

/// The program of the [`Emulator`](emulator::Emulator).
///
/// # Errors
/// [`Missing::Qemu`].
pub fn qemu() -> Result<PathBuf, Missing> {
    emulator::Emulator::find().map(|emulator| emulator.program)
}

/// A command in the ambient environment, cleaned as [`Toolchain::cargo`] describes.
pub fn ambient(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    environment::clean(&mut command);
    command
}

/// The sysroot of the `rustc` on the PATH, if it runs.
pub fn ambient_sysroot() -> Option<PathBuf> {
    answer(ambient("rustc").args(["--print", "sysroot"])).map(PathBuf::from)
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

fn is_within_cache(sysroot: &Path) -> bool {
    // Resolved, because rustup reaches the folder through a symlink.
    let cache = cache_dir().and_then(|folder| folder.canonicalize().ok());
    matches!((cache, sysroot.canonicalize()), (Some(cache), Ok(sysroot)) if sysroot.starts_with(&cache))
}

fn has_core(sysroot: &Path, target: &str) -> bool {
    let libraries = sysroot.join("lib/rustlib").join(target).join("lib");
    let Ok(entries) = libraries.read_dir() else { return false };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_core = name.starts_with("libcore-") && name.ends_with(".rlib");
        // An empty file is a placeholder while a broken target is being repaired.
        is_core && entry.metadata().is_ok_and(|metadata| metadata.len() > 0)
    })
}

/// `rust-lld`, in the order in which rustc looks for it: the sysroot (under the host's name), then the PATH.
fn linker_of(sysroot: &Path) -> Option<PathBuf> {
    let file = format!("bin/rust-lld{}", env::consts::EXE_SUFFIX);
    let hosts = sysroot.join("lib/rustlib").read_dir().into_iter().flatten().flatten();
    hosts.map(|host| host.path().join(&file)).find(|path| is_executable(path)).or_else(|| on_path("rust-lld"))
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
    fn a_folder_without_libraries_misses_every_target() {
        assert_eq!(missing_targets(Path::new("/nonexistent")), TARGETS);
        assert_eq!(linker_of(Path::new("/nonexistent")), on_path("rust-lld"));
    }

    #[test]
    fn what_is_missing_names_the_command_that_brings_it() {
        let text = Missing::Targets(vec!["thumbv6m-none-eabi", "thumbv7m-none-eabi"]).to_string();
        assert!(text.contains("thumbv6m-none-eabi, thumbv7m-none-eabi") && text.contains("cargo xtask setup"));
    }
}
