//! Finds the compiler for Cortex-M and the emulators. It never installs them.
//!
//! Nothing here changes the machine or uses the network, so tests may call it. `cargo xtask setup` installs anything
//! that is missing.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

pub mod emulator;
mod environment;
pub mod rp2040js;

/// The Cortex-M targets of all boards: M0 to M33, soft and hard float.
pub const TARGETS: &[&str] =
    &["thumbv6m-none-eabi", "thumbv7m-none-eabi", "thumbv7em-none-eabihf", "thumbv8m.main-none-eabihf"];

/// The sysroot of the `rustc` on the PATH.
pub fn sysroot() -> Result<PathBuf> {
    let sysroot = answer(ambient("rustc").args(["--print", "sysroot"])).map(PathBuf::from);
    sysroot.context("no working `rustc` on the PATH: install rustup, from https://rustup.rs")
}

/// The [`TARGETS`] that have no `core` in this sysroot.
pub fn missing_targets(sysroot: &Path) -> Vec<&'static str> {
    let is_core = |name: &str| name.starts_with("libcore-") && name.ends_with(".rlib");
    let has_core = |target: &&&str| {
        let files = sysroot.join("lib/rustlib").join(target).join("lib").read_dir();
        files.into_iter().flatten().flatten().any(|file| is_core(&file.file_name().to_string_lossy()))
    };
    TARGETS.iter().filter(|target| !has_core(target)).copied().collect()
}

/// A `cargo` command that builds for Cortex-M, in the environment of [`ambient`].
///
/// # Errors
/// If there is no compiler, or it lacks some of the [`TARGETS`].
pub fn cargo() -> Result<Command> {
    let missing = missing_targets(&sysroot()?);
    ensure!(missing.is_empty(), "the compiler has no `core` for {}: run `cargo xtask setup`", missing.join(", "));
    Ok(ambient("cargo"))
}

/// A command whose environment lacks everything that an outer `cargo` or the user set for *host* builds (flags, target
/// and target folder, wrappers), so that it behaves the same in a shell, in `cargo xtask` and in `cargo test`.
pub fn ambient(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    environment::clean(&mut command);
    command
}

/// The first executable of this name on the PATH.
pub fn on_path(name: &str) -> Option<PathBuf> {
    all_on_path(name).next()
}

fn all_on_path(name: &str) -> impl Iterator<Item = PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let folders: Vec<_> = env::var_os("PATH").iter().flat_map(env::split_paths).collect();
    let is_executable = |path: &PathBuf| {
        path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
    };
    let name = name.to_owned();
    folders.into_iter().map(move |folder| folder.join(&name)).filter(is_executable)
}

/// The first program that says a version which is new enough, and that version.
///
/// # Errors
/// For each program, why it will not do.
fn first_fit(
    programs: impl IntoIterator<Item = PathBuf>,
    version_of: impl Fn(&Path) -> Option<String>,
    oldest: u32,
) -> Result<(PathBuf, String), String> {
    let mut unfit = Vec::new();
    for program in programs {
        match version_of(&program) {
            Some(version) if release_of(&version).is_some_and(|(major, _)| major >= oldest) => {
                return Ok((program, version));
            }
            Some(version) => unfit.push(format!("{} is {version}", program.display())),
            None => unfit.push(format!("{} does not run", program.display())),
        }
    }
    Err(if unfit.is_empty() { String::new() } else { format!(" ({})", unfit.join(", ")) })
}

/// Major and minor version.
fn release_of(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map(|digits| digits.parse().ok());
    Some((numbers.next()??, numbers.next().flatten().unwrap_or(0)))
}

/// The standard output of a command, trimmed; `None` if it cannot be run or fails.
pub fn answer(command: &mut Command) -> Option<String> {
    // A query must not make rustup download a toolchain.
    let output = command.env("RUSTUP_AUTO_INSTALL", "0").output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The user's cache folder for osculate: `$XDG_CACHE_HOME/osculate`, or else `~/.cache/osculate`; `None` for a user
/// without a home. It need not exist.
pub fn cache_dir() -> Option<PathBuf> {
    // The XDG specification says to ignore relative paths.
    let absolute = |path: PathBuf| Some(path).filter(|path| path.is_absolute());
    let xdg = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).and_then(absolute);
    Some(xdg.or_else(|| Some(absolute(env::home_dir()?)?.join(".cache")))?.join("osculate"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_its_first_two_numbers() {
        for (version, release) in [("7.2.22", (7, 2)), ("8.1.0-rc3", (8, 1)), ("9", (9, 0))] {
            assert_eq!(release_of(version), Some(release), "{version}");
        }
        assert_eq!(["", "unknown"].map(release_of), [None; 2]);
    }

    #[test]
    fn what_will_not_do_is_passed_over_and_named() {
        let version_of =
            |program: &Path| (program != Path::new("/broken")).then(|| program.display().to_string()[1..].into());
        let found = |programs: &[&str]| first_fit(programs.iter().map(PathBuf::from), version_of, 6);
        assert_eq!(found(&["/5.2", "/broken", "/6.0"]), Ok(("/6.0".into(), "6.0".into())));
        assert_eq!(found(&["/5.2", "/broken"]).unwrap_err(), " (/5.2 is 5.2, /broken does not run)");
        assert_eq!(found(&[]).unwrap_err(), "");
    }
}
