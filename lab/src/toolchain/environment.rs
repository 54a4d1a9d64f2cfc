//! The environment of an inner `cargo`, without the variables meant for the outer one.

use std::env;
use std::process::Command;

/// Set by an outer `cargo` for the program it runs, or by the user for host builds. RUSTFLAGS or a target folder would
/// also reach the firmware and change its code or the place of its ELF file.
const HOST_ONLY: &[&str] = &[
    "CARGO",
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_TARGET_DIR",
    "CARGO_CRATE_NAME",
    "CARGO_PRIMARY_PACKAGE",
    "CARGO_TARGET_DIR",
    "CARGO_TARGET_TMPDIR",
    "RUSTC",
    "RUSTFLAGS",
    "SYSROOT",
];

const HOST_ONLY_PREFIXES: &[&str] = &[
    "CARGO_BIN_EXE_",
    "CARGO_BUILD_RUST",
    "CARGO_ENCODED_RUST",
    "CARGO_MANIFEST_",
    "CARGO_PKG_",
    "RUSTC_W",
    "RUSTDOC",
    "__CARGO",
];

/// Removes the variables meant for the outer build from `command`'s environment.
pub(super) fn clean(command: &mut Command) {
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(is_host_only) {
            command.env_remove(name);
        }
    }
}

fn is_host_only(name: &str) -> bool {
    HOST_ONLY.contains(&name) || HOST_ONLY_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_the_host_build_go_and_those_of_the_user_stay() {
        for name in ["CARGO", "RUSTFLAGS", "CARGO_TARGET_DIR", "CARGO_PKG_NAME", "RUSTC_WRAPPER"] {
            assert!(is_host_only(name), "{name}");
        }
        for name in ["CARGO_HOME", "CARGO_NET_OFFLINE", "RUSTUP_TOOLCHAIN", "PATH", "DEFMT_LOG", "CARGO_TERM_COLOR"] {
            assert!(!is_host_only(name), "{name}");
        }
    }
}
