//! `cargo xtask doctor`: reports what this machine has and what is missing, without changing anything.

use anyhow::{Result, bail};
use osculate_lab::toolchain::emulator::Emulator;
use osculate_lab::toolchain::rp2040js::{Rp2040js, VERSION, node};
use osculate_lab::toolchain::{TARGETS, ambient, answer, cache_dir, missing_targets, on_path, sysroot};

use super::{qemu, rp2040js, rustup};

/// The command that installs everything that can be installed.
const SETUP: &str = "cargo xtask setup";

/// A line of the table: a part, and what was found or the command that installs it.
type Row = (&'static str, Result<String, String>);

/// Prints the table; fails if anything is missing that the README's commands need.
pub(crate) fn run() -> Result<()> {
    let rows = rows();
    for (name, state) in rows.iter().chain(&pico()) {
        match state {
            Ok(found) => println!("{name:<26} {found}"),
            Err(command) => println!("{name:<26} MISSING  install it with: {command}"),
        }
    }
    let packages = qemu::becomes_root().map_or_else(|why| why, |_| "apt-get, if it removes nothing".into());
    println!("{:<26} {packages}", "package manager");
    println!("{:<26} {}", "cache folder", cache_dir().map_or("none".into(), |folder| folder.display().to_string()));
    let commands: Vec<_> = rows.iter().filter_map(|(_, state)| state.as_ref().err()).collect();
    match commands.as_slice() {
        [] => println!("\nready: `cargo xtask demo` or `cargo xtask test`"),
        [command] => bail!("1 of {} is missing: run `{command}`", rows.len()),
        _ => bail!("{} of {} are missing: run `{SETUP}`", commands.len(), rows.len()),
    }
    Ok(())
}

fn rows() -> Vec<Row> {
    let program = |name: &str| match (on_path(name), answer(ambient(name).arg("--version"))) {
        (Some(path), Some(version)) => Ok(format!("{version}  {}", path.display())),
        _ => Err("rustup, from https://rustup.rs".into()),
    };
    let missing = sysroot().map_or(TARGETS.to_vec(), |sysroot| missing_targets(&sysroot));
    let target = |name: &str| {
        if missing.contains(&name) { Err(format!("rustup target add {name}")) } else { Ok("installed".into()) }
    };
    let mut rows = vec![("compiler", program("rustc")), ("cargo", program("cargo"))];
    rows.push(("rustup", rustup::version().ok_or("see https://rustup.rs".into())));
    rows.extend(TARGETS.iter().map(|name| (*name, target(name))));
    let qemu = Emulator::find().map(|Emulator { program, version }| format!("{version}  {}", program.display()));
    rows.push(("QEMU", qemu.map_err(|_| SETUP.to_owned())));
    rows
}

/// What only the Pico needs.
fn pico() -> [Row; 2] {
    let node = node().map(|(path, version)| format!("{version}  {}", path.display()));
    let found = Rp2040js::find().map(|found| format!("{VERSION}  {}", found.package.display()));
    [
        ("node, for the Pico", node.map_err(|_| rp2040js::BY_HAND.into())),
        ("rp2040js, for the Pico", found.map_err(|_| format!("{SETUP} --pico"))),
    ]
}
