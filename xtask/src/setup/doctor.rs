//! `cargo xtask doctor`: reports what this machine has and what is missing, without changing anything.

use std::path::Path;

use anyhow::{Result, bail};
use osculate_lab::toolchain::{
    Missing, Origin, TARGETS, Toolchain, ambient, answer, cache_dir,
    emulator::{Emulator, PROGRAM},
    on_path,
    rp2040js::{NODE, Node, Rp2040js, VERSION},
};

use super::{
    packages::{Installer, Manager},
    rights::{Becoming, Rights},
    rustup, version_of,
};

/// The command that installs everything that can be installed.
const SETUP: &str = "cargo xtask setup";

/// One line of the table.
struct Row {
    name: String,
    state: State,
}

enum State {
    Found(String),
    /// Not needed here, for the reason given.
    Absent(&'static str),
    /// With the command that installs it.
    Missing(String),
}

impl Row {
    fn new(name: impl Into<String>, state: State) -> Self {
        Self { name: name.into(), state }
    }

    fn command(&self) -> Option<&str> {
        match &self.state {
            State::Missing(command) => Some(command),
            _ => None,
        }
    }
}

/// Prints the table; fails if anything is missing.
pub(crate) fn run() -> Result<()> {
    let found = Toolchain::find();
    let missing = match &found {
        Err(Missing::Targets(targets)) => targets.clone(),
        Err(Missing::Compiler) => TARGETS.to_vec(),
        _ => Vec::new(),
    };
    let found = found.ok();
    let active = rustup::active();
    let manager = Installer::find().manager();
    let mut rows = host(active.as_deref());
    rows.extend(targets(found.as_ref(), &missing, active.as_deref()));
    rows.push(linker(found.as_ref()));
    rows.push(lint("clippy", "clippy", active.as_deref()));
    rows.push(lint("rustfmt", "fmt", active.as_deref()));
    rows.extend([qemu(manager), node(manager), rp2040js()]);
    rows.extend([package_manager(manager), cache(), firmware(found.as_ref())]);
    for row in &rows {
        println!("{}", line(row));
    }
    let commands: Vec<_> = rows.iter().filter_map(Row::command).collect();
    match verdict(&commands) {
        None => println!("\nready: `cargo xtask demo` or `cargo xtask test`"),
        Some(command) => bail!("{} of {} are missing: run `{command}`", commands.len(), rows.len()),
    }
    Ok(())
}

/// The one command to run if something is missing. That is setup, which installs all it can and reports the rest,
/// unless the only missing part is one that it cannot install.
fn verdict<'c>(commands: &[&'c str]) -> Option<&'c str> {
    match commands {
        [] => None,
        [command] => Some(command),
        _ => Some(SETUP),
    }
}

fn line(row: &Row) -> String {
    let text = match &row.state {
        State::Found(text) => text.clone(),
        State::Absent(reason) => format!("none ({reason})"),
        State::Missing(command) => format!("MISSING  install it with: {command}"),
    };
    format!("{:<26} {text}", row.name)
}

/// The compiler, cargo and rustup for host builds.
fn host(active: Option<&str>) -> Vec<Row> {
    let program = |name: &str| match (on_path(name), answer(ambient(name).arg("--version"))) {
        (Some(path), Some(version)) => State::Found(format!("{version}  {}", path.display())),
        _ => State::Missing("rustup, or your package manager".into()),
    };
    let rustup = match (rustup::version(), active) {
        (Some(version), Some(active)) => State::Found(format!("{version}, active toolchain {active}")),
        (Some(version), None) => State::Found(format!("{version}, but the compiler on the PATH is another")),
        (None, _) => State::Absent("the distribution's compiler is used"),
    };
    vec![Row::new("host compiler", program("rustc")), Row::new("cargo", program("cargo")), Row::new("rustup", rustup)]
}

/// Each target, and where it comes from.
fn targets(found: Option<&Toolchain>, missing: &[&str], active: Option<&str>) -> Vec<Row> {
    let source = match (found.map(Toolchain::origin), active) {
        (Some(Origin::Matched), _) => "matched toolchain (built around the distribution's compiler)".to_owned(),
        (_, Some(active)) => format!("rustup's {active}"),
        (_, None) => "the distribution's compiler".to_owned(),
    };
    let state = |target: &&str| match missing.contains(target) {
        false => State::Found(source.clone()),
        true if active.is_some() => State::Missing(rustup::add_targets_by_hand(&[target])),
        true => State::Missing(SETUP.into()),
    };
    TARGETS.iter().map(|target| Row::new(*target, state(target))).collect()
}

fn linker(found: Option<&Toolchain>) -> Row {
    let state = match found.and_then(Toolchain::linker) {
        Some(path) => State::Found(resolved(&path)),
        None => State::Missing(SETUP.into()),
    };
    Row::new("linker", state)
}

/// A path and, for a symlink, its target.
fn resolved(path: &Path) -> String {
    match path.read_link() {
        Ok(target) => format!("{} -> {}", path.display(), target.display()),
        Err(_) => path.display().to_string(),
    }
}

fn lint(name: &str, subcommand: &str, active: Option<&str>) -> Row {
    let state = match version_of(subcommand) {
        Some(version) => State::Found(version),
        None if active.is_some() => State::Missing(format!("rustup component add {name}")),
        None => State::Missing(SETUP.into()),
    };
    Row::new(name, state)
}

fn qemu(manager: Option<Manager>) -> Row {
    let state = match Emulator::find() {
        Ok(Emulator { program, source, version }) => {
            State::Found(format!("{version}, {source}  {}", program.display()))
        }
        Err(_) => {
            let by_hand = |manager| by_hand(manager, Manager::qemu, PROGRAM, Rights::find(), Becoming::find());
            State::Missing(by_hand(manager))
        }
    };
    Row::new("QEMU", state)
}

fn node(manager: Option<Manager>) -> Row {
    let state = match Node::find() {
        Ok(Node { program, source, version }) => State::Found(format!("{version}, {source}  {}", program.display())),
        Err(_) => State::Missing(by_hand(manager, Manager::node, NODE, Rights::find(), Becoming::find())),
    };
    Row::new("node, for the Pico", state)
}

fn rp2040js() -> Row {
    let state = match Rp2040js::find() {
        Ok(Rp2040js { package, .. }) => State::Found(format!("{VERSION}  {}", package.display())),
        Err(_) => State::Missing(SETUP.into()),
    };
    Row::new("rp2040js, for the Pico", state)
}

/// Setup works without install rights only on Debian and its derivatives.
fn by_hand(
    manager: Option<Manager>,
    package: fn(Manager) -> &'static str,
    program: &str,
    rights: Rights,
    becoming: Becoming,
) -> String {
    match manager {
        None => format!("your package manager: {program}"),
        Some(manager @ (Manager::Dnf | Manager::Pacman)) if rights == Rights::None => {
            manager.by_hand(&[package(manager)], becoming)
        }
        Some(_) => SETUP.to_owned(),
    }
}

fn package_manager(manager: Option<Manager>) -> Row {
    let state = match manager {
        Some(manager) => State::Found(format!("{}, {}", manager.program(), Rights::find())),
        None => State::Absent("setup can install no packages"),
    };
    Row::new("package manager", state)
}

fn cache() -> Row {
    let state = match cache_dir() {
        Some(folder) if folder.is_dir() => State::Found(folder.display().to_string()),
        Some(folder) => State::Found(format!("{} (not created yet)", folder.display())),
        None => State::Absent("neither HOME nor XDG_CACHE_HOME is set"),
    };
    Row::new("cache folder", state)
}

fn firmware(found: Option<&Toolchain>) -> Row {
    let state = match found {
        Some(toolchain) => {
            let version = answer(toolchain.rustc().arg("--version")).unwrap_or_default();
            State::Found(format!("{version}  {}", toolchain.sysroot().display()))
        }
        None => State::Missing(SETUP.into()),
    };
    Row::new("the firmware is built with", state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_is_one_command() {
        assert_eq!(verdict(&[]), None);
        assert_eq!(verdict(&["rustup component add clippy"]), Some("rustup component add clippy"));
        assert_eq!(verdict(&["sudo dnf install qemu-system-arm", "rustup component add clippy"]), Some(SETUP));
    }

    #[test]
    fn qemu_is_brought_by_setup_wherever_it_can() {
        let by_hand = |manager, rights| by_hand(manager, Manager::qemu, PROGRAM, rights, Becoming::Sudo);
        assert_eq!(by_hand(Some(Manager::Apt), Rights::None), SETUP);
        assert_eq!(by_hand(Some(Manager::Dnf), Rights::Root), SETUP);
        assert_eq!(by_hand(Some(Manager::Brew), Rights::None), SETUP);
        assert_eq!(by_hand(Some(Manager::Dnf), Rights::None), "sudo dnf install qemu-system-arm");
        assert_eq!(by_hand(None, Rights::None), "your package manager: qemu-system-arm");
    }
}
