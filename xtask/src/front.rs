//! `cargo xtask COMMAND`: prints help, or builds the program that has the command, and becomes it.
//!
//! It has no dependencies, so that help is there within seconds. The programs are built when they are first needed, with
//! cargo's own progress.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// What needs the lab, with its boards and emulators: the second program of this package.
const LAB: &str = "lab";
const EXPERIMENTS: &str = "osculate-experiments";
const FUZZ: &str = "osculate-fuzz";

/// A command's name, its program, and what it does.
type Task = (&'static str, &'static str, &'static str);

const TASKS: [Task; 11] = [
    ("demo", LAB, "Watch the firmware learn to heat a room, on an emulated board with thermometers"),
    ("nexting", LAB, "Watch a device predict its sensor on four time scales"),
    ("replay", LAB, "Learn from your recording, on this machine or on an emulated board"),
    ("paper", EXPERIMENTS, "Run the paper's experiments, and draw their figures"),
    ("rivals", EXPERIMENTS, "Compare the rules with tuned rivals: errors, cost, memory"),
    ("boards", LAB, "List the boards, and how far each is proven"),
    ("flash", LAB, "Put the firmware on a real board, and show its log"),
    ("setup", LAB, "Install what is missing: the Cortex-M targets and QEMU"),
    ("doctor", LAB, "Show what this machine has, changing nothing"),
    ("test", LAB, "Run every test, on this machine and on emulated boards"),
    ("lint", LAB, "Check formatting and lints"),
];

const DEV: [Task; 7] = [
    ("bench", LAB, "Count the instructions of the learner on the boards"),
    ("build", LAB, "Build the firmware for a board, and write the files that it is flashed from"),
    ("qemu", LAB, "Run an ELF file of the firmware in the emulator of its board"),
    ("hygiene", LAB, "Check what a release rests on: features, oldest compiler, packages, documentation, Miri"),
    ("torture", LAB, "Try everything that a device must survive, many times"),
    ("compare", EXPERIMENTS, "Compare rules and arithmetics on equal data, over many seeds"),
    ("fuzz", FUZZ, "Call everything with arbitrary bits, and count what happens"),
];

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(|word| word.to_str().unwrap_or_default()).collect();
    let (prefix, tasks, words) = match words.as_slice() {
        ["dev", words @ ..] => ("cargo xtask dev", &DEV[..], words),
        words => ("cargo xtask", &TASKS[..], words),
    };
    let Some((&name, _)) = words.split_first().filter(|(name, _)| !["help", "-h", "--help"].contains(name)) else {
        print(&help(prefix, tasks));
        return ExitCode::SUCCESS;
    };
    let Some((_, program, _)) = tasks.iter().find(|(known, ..)| *known == name) else {
        eprintln!("error: there is no command `{name}`\n\n{}", help(prefix, tasks));
        return ExitCode::from(2);
    };
    // The lab knows its commands by the same words; the experiments know theirs by the name; the fuzzer is one command.
    let skipped = usize::from(prefix.ends_with("dev") && *program != LAB) + usize::from(*program == FUZZ);
    match build(program).and_then(|built| if built { become_it(program, &arguments[skipped..]) } else { Ok(101) }) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: cannot start {program}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Nobody may read it to its end, as with `| head`.
fn print(text: &str) {
    _ = io::stdout().write_all(text.as_bytes());
}

fn help(prefix: &str, tasks: &[Task]) -> String {
    let mut text = format!("Usage: {prefix} COMMAND [OPTIONS]; `{prefix} COMMAND --help` explains one\n\n");
    for (name, _, about) in tasks {
        text += &format!("  {name:<8} {about}\n");
    }
    if prefix.ends_with("xtask") {
        text += &format!("  {:<8} {}\n", "dev", "What maintainers need: bench, fuzz, torture, hygiene, …");
    }
    text
}

/// Builds the program with the features of the whole workspace: `cargo test` then finds its crates built. Returns
/// whether it succeeded; if not, cargo has said why.
fn build(program: &str) -> io::Result<bool> {
    // Set by cargo at run time, so that it is right even in a repository that was moved.
    let own = env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--workspace", "--bin", program, "--manifest-path"]).arg(own.join("../Cargo.toml"));
    Ok(cargo.stdin(Stdio::null()).stdout(Stdio::null()).status()?.success())
}

/// Replaces this process: signals, the terminal and the exit code are the program's.
fn become_it(program: &str, arguments: &[OsString]) -> io::Result<u8> {
    // cargo puts the programs of a workspace beside each other.
    let mut command = Command::new(env::current_exe()?.with_file_name(format!("{program}{}", env::consts::EXE_SUFFIX)));
    command.args(arguments);
    Err(command.exec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dozen_commands_fit_a_terminal() {
        assert!(TASKS.len() < 12);
        for (prefix, tasks) in [("cargo xtask", &TASKS[..]), ("cargo xtask dev", &DEV)] {
            assert!(help(prefix, tasks).lines().all(|line| line.chars().count() <= 100), "{prefix}");
        }
    }
}
