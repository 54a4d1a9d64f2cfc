//! The program behind `cargo xtask`: builds the commands, showing progress every few seconds, then replaces itself with
//! them.
//!
//! It has no dependencies, so it starts at once even on a machine that has built nothing yet. It prints nothing if
//! there is nothing to build.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write, stderr};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

mod output;

use output::{Piece, pieces};

/// Shorter builds show no progress.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often a permanent progress line is printed.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// How often the progress line of a terminal is updated.
const REFRESH: Duration = Duration::from_millis(250);

fn main() -> ExitCode {
    match build().and_then(|built| if built { run() } else { Ok(ExitCode::FAILURE) }) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the commands were built; if not, cargo has printed the reason.
fn build() -> io::Result<bool> {
    let mut child = cargo("build")
        .args(["--color", "never"])
        // Enables cargo's progress count even into a pipe.
        .envs([("CARGO_TERM_PROGRESS_WHEN", "always"), ("CARGO_TERM_PROGRESS_WIDTH", "90")])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(cannot_start)?;
    let (sender, receiver) = sync_channel(64);
    if let Some(mut output) = child.stderr.take() {
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
    }
    follow(&receiver);
    Ok(child.wait()?.success())
}

/// Shows cargo's progress until its output ends.
fn follow(output: &Receiver<Vec<u8>>) {
    let start = Instant::now();
    let in_place = stderr().is_terminal();
    let clear = if in_place { "\r\x1b[K" } else { "" };
    let mut next = PATIENCE;
    let mut done = String::new();
    let mut read = Vec::new();
    loop {
        match output.recv_timeout(next.saturating_sub(start.elapsed())) {
            Ok(bytes) => read.extend(bytes),
            Err(RecvTimeoutError::Timeout) => {}
            // The last line may have no line end.
            Err(RecvTimeoutError::Disconnected) if read.is_empty() => break,
            Err(RecvTimeoutError::Disconnected) => read.push(b'\n'),
        }
        for piece in pieces(&mut read) {
            match piece {
                Piece::Done(count) => done = format!("{count}, "),
                Piece::Status => {}
                Piece::Message(text) => eprintln!("{clear}{text}"),
            }
        }
        if start.elapsed() >= next {
            if next == PATIENCE {
                eprintln!("building the commands; the first time takes some minutes");
            }
            let line = format!("  {done}{} s", start.elapsed().as_secs());
            eprint!("{clear}{line:.78}{}", if in_place { "" } else { "\n" });
            // If progress cannot be shown, the build goes on anyway.
            _ = stderr().flush();
            next = start.elapsed() + if in_place { REFRESH } else { HEARTBEAT };
        }
    }
    if start.elapsed() >= PATIENCE {
        eprint!("{clear}");
    }
}

/// Replaces this process with the commands. cargo knows where it built them and passes the repository's path on.
fn run() -> io::Result<ExitCode> {
    let mut command = cargo("run");
    command.arg("--quiet").arg("--").args(env::args_os().skip(1));
    become_it(command).map_err(cannot_start)
}

/// Signals, the terminal and the exit code go straight to the command.
#[cfg(unix)]
fn become_it(mut command: Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

#[cfg(not(unix))]
fn become_it(mut command: Command) -> io::Result<ExitCode> {
    let code = command.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The cargo that started this program, with a subcommand for the package of the commands.
fn cargo(subcommand: &str) -> Command {
    // Set by cargo at run time, so that it is right even in a repository that was moved.
    let own = env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    let manifest = own.join("../../Cargo.toml");
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.args([subcommand, "--package", "xtask", "--manifest-path"]).arg(manifest);
    command
}

fn cannot_start(error: io::Error) -> io::Error {
    io::Error::other(format!("cannot start cargo: {error}"))
}
