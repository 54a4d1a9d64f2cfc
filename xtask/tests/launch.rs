//! The launcher behind `cargo xtask`: it needs no crates, shows progress while cargo builds, and then gets out of the
//! way.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use osculate_lab::repository::repository;

/// Builds the launcher and runs its own tests, as on a machine without a registry.
fn launcher() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("launch");
        let no_registry = tempfile::tempdir().unwrap();
        for subcommand in ["test", "build"] {
            let output = Command::new(env!("CARGO"))
                .args([subcommand, "--offline", "--locked", "--manifest-path"])
                .arg(repository().join("xtask/launch/Cargo.toml"))
                .arg("--target-dir")
                .arg(&target)
                .env("CARGO_HOME", no_registry.path())
                .output()
                .unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        target.join("debug/xtask-launch")
    })
}

/// Runs the launcher with a cargo that behaves as `build` says, and then reports what it was asked to run.
fn launched(build: &str) -> (Output, String) {
    let folder = tempfile::tempdir().unwrap();
    let cargo = folder.path().join("cargo");
    let script = format!("#!/bin/sh\ncase $1 in\nbuild) {build} ;;\nrun) shift; echo \"ran $*\"; exit 7 ;;\nesac\n");
    fs::write(&cargo, script).unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let own = repository().join("xtask/launch");
    let mut command = Command::new(launcher());
    let output = command.args(["demo", "--seed", "2"]).env("CARGO", &cargo).env("CARGO_MANIFEST_DIR", own).output();
    let output = output.unwrap();
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    (output, errors)
}

#[test]
fn it_is_what_the_alias_starts() {
    let config = fs::read_to_string(repository().join(".cargo/config.toml")).unwrap();
    let alias = config.lines().find_map(|line| line.strip_prefix("xtask = ")).unwrap();
    assert!(alias.contains(" --manifest-path xtask/launch/Cargo.toml ") && !alias.contains("--package"), "{alias}");
}

#[test]
fn where_nothing_is_to_be_built_nothing_is_said() {
    let (output, errors) = launched("echo '    Finished `dev` profile in 0.1s' >&2");
    assert_eq!(errors, "");
    let ran = String::from_utf8(output.stdout).unwrap();
    assert!(
        ran.starts_with("ran --package xtask --manifest-path ") && ran.ends_with(" --quiet -- demo --seed 2\n"),
        "{ran}"
    );
    assert_eq!(output.status.code(), Some(7), "the exit code is the command's");
}

#[test]
fn a_build_that_takes_long_shows_how_far_it_is() {
    let bar = r"printf '    Building [==>   ] 57/214: syn, quote\r' >&2";
    let (output, errors) = launched(&format!("{bar}; echo '   Compiling syn v2.0.119' >&2; sleep 6"));
    let lines: Vec<_> = errors.lines().collect();
    assert_eq!(lines[0], "building the commands; the first time takes some minutes");
    assert!(
        lines.len() > 1 && lines[1..].iter().all(|line| line.starts_with("  57 of 214 (syn, quote), ")),
        "{errors}"
    );
    assert_eq!(output.status.code(), Some(7));
}

#[test]
fn a_build_that_fails_is_shown_and_nothing_is_run() {
    let (output, errors) = launched("echo '   Compiling a v1' >&2; printf 'error[E0308]: mismatched' >&2; exit 101");
    assert_eq!(errors, "error[E0308]: mismatched\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
}
