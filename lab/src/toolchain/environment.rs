//! The environment of an inner `cargo`, without the variables meant for the outer one.

use std::{
    env,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::Command,
};

/// Set by an outer `cargo` for the program it runs, or by the user for host builds. RUSTFLAGS or a target folder would
/// also reach the firmware and change its code or the place of its ELF file.
const HOST_ONLY: &[&str] = &[
    "CARGO",
    "CARGO_BUILD_RUSTC",
    "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER",
    "CARGO_BUILD_RUSTC_WRAPPER",
    "CARGO_BUILD_RUSTDOC",
    "CARGO_BUILD_RUSTDOCFLAGS",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_TARGET_DIR",
    "CARGO_CRATE_NAME",
    "CARGO_ENCODED_RUSTDOCFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_MANIFEST_DIR",
    "CARGO_MANIFEST_LINKS",
    "CARGO_MANIFEST_PATH",
    "CARGO_PRIMARY_PACKAGE",
    "CARGO_TARGET_DIR",
    "CARGO_TARGET_TMPDIR",
    "RUSTC",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "RUSTDOC",
    "RUSTDOCFLAGS",
    "RUSTFLAGS",
    "SYSROOT",
];

const HOST_ONLY_PREFIXES: &[&str] = &["CARGO_BIN_EXE_", "CARGO_PKG_", "__CARGO"];

/// Variables by which cargo and rustup pass the paths of the compiler's libraries to a program.
const LIBRARY_PATHS: &[&str] = &["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"];

/// Removes the variables meant for the outer build from `command`'s environment.
pub(super) fn clean(command: &mut Command) {
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(is_host_only) {
            command.env_remove(name);
        }
    }
    let build = build_folder();
    for name in LIBRARY_PATHS {
        let Some(value) = env::var_os(name) else { continue };
        match without_compilers(&value, build.as_deref()) {
            Some(rest) => command.env(name, rest),
            None => command.env_remove(name),
        };
    }
}

/// The PATH with `bin` in front.
///
/// cargo looks for its subcommands in `CARGO_HOME/bin` first, unless the PATH lists that folder. rustup's
/// `cargo-clippy` there would shadow ours, so the folder is added at the end.
pub(super) fn path_led_by(bin: &Path) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home = cargo_home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let cargo_bin = cargo_home.map(|home| home.join("bin"));
    let folders = [bin.to_owned()].into_iter().chain(env::split_paths(&path)).chain(cargo_bin);
    // Fails only for a folder with a `:` in its name, which no PATH can contain.
    env::join_paths(folders).unwrap_or(path)
}

fn is_host_only(name: &str) -> bool {
    HOST_ONLY.contains(&name) || HOST_ONLY_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// A library path without the folders of the outer compiler and the outer build; `None` if nothing is left. The user's
/// own entries stay: programs may need them to start.
fn without_compilers(value: &OsStr, build: Option<&Path>) -> Option<OsString> {
    let is_foreign = |folder: &Path| {
        folder.components().any(|part| part.as_os_str() == "rustlib")
            || folder.join("rustlib").is_dir()
            || build.is_some_and(|build| folder.starts_with(build))
    };
    let rest: Vec<_> =
        env::split_paths(value).filter(|folder| !folder.as_os_str().is_empty() && !is_foreign(folder)).collect();
    if rest.is_empty() { None } else { env::join_paths(rest).ok() }
}

/// `target/PROFILE` of the running program, which is in that folder or, for a test, in its `deps`.
fn build_folder() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let folder = program.parent()?;
    let folder = if folder.ends_with("deps") { folder.parent()? } else { folder };
    Some(folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_the_host_build_go_and_those_of_the_user_stay() {
        for name in ["CARGO", "RUSTFLAGS", "CARGO_TARGET_DIR", "CARGO_PKG_NAME", "__CARGO_TEST_ROOT"] {
            assert!(is_host_only(name), "{name}");
        }
        for name in ["CARGO_HOME", "CARGO_NET_OFFLINE", "RUSTUP_TOOLCHAIN", "PATH", "DEFMT_LOG", "CARGO_TERM_COLOR"] {
            assert!(!is_host_only(name), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn library_paths_lose_compilers_and_the_outer_build() {
        let build = Some(Path::new("/repo/target/debug"));
        let path = OsStr::new("/repo/target/debug/deps:/s/lib/rustlib/host/lib:/opt/lib:/repo/target/debug");
        assert_eq!(without_compilers(path, build), Some("/opt/lib".into()));
        assert_eq!(without_compilers(OsStr::new("/repo/target/debug:"), build), None);
    }

    #[cfg(unix)]
    #[test]
    fn the_toolchain_leads_the_path_and_cargo_home_is_listed() {
        let path = path_led_by(Path::new("/matched/bin"));
        let folders: Vec<_> = env::split_paths(&path).collect();
        assert_eq!(folders.first().map(PathBuf::as_path), Some(Path::new("/matched/bin")));
        assert!(folders.last().is_some_and(|folder| folder.ends_with("bin")));
    }
}
