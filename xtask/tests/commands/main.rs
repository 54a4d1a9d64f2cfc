//! The commands as their users run them: what they print, what they leave behind, and what they refuse.
#![cfg(unix)]

mod bench;
mod demo;
mod machines;
mod replay;
mod test;

use std::process::Command;

/// `cargo xtask` with these arguments.
fn xtask(arguments: &str) -> Command {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_lab"));
    xtask.args(arguments.split_whitespace());
    xtask
}

/// What a command prints if it succeeds, and what it complains of otherwise.
fn outcome(command: &mut Command) -> Result<String, String> {
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}
