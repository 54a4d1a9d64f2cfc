//! Runs a command whose output matters, or only the end of it if it fails; silence is broken by a sign of life.

use std::io::{self, BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use osculate_lab::waiting::QUIET;

/// How much of a line a sign of life quotes.
const QUOTED: usize = 100;
/// How many of the last lines are shown of a step that fails.
const LAST: usize = 12;

/// Announces the command, runs it with its output shown, and fails if it fails.
pub(crate) fn run(title: &str, command: &mut Command) -> Result<()> {
    ensure!(passes(title, command, |_| ())?, "failed: {title}");
    Ok(())
}

/// As [`run`], but passes each line of the output on, and returns whether the command succeeded.
pub(crate) fn passes(title: &str, command: &mut Command, mut on_line: impl FnMut(&str)) -> Result<bool> {
    println!("\n==> {title}");
    let mut last = String::new();
    follow(command, |heard| match heard {
        Heard::Line(line) => {
            println!("{line}");
            on_line(line);
            if !line.trim().is_empty() {
                last = line.trim().chars().take(QUOTED).collect();
            }
        }
        Heard::Nothing(time) if last.is_empty() => eprintln!("  still running, {} s", time.as_secs()),
        Heard::Nothing(time) => eprintln!("  still running, {} s; last: {last}", time.as_secs()),
    })
}

/// A step of setup: announced, and quiet unless it fails.
pub(crate) fn step(title: &str, command: &mut Command) -> Result<()> {
    println!("  run    {title}");
    let started = Instant::now();
    let mut lines = Vec::new();
    // A backtrace would push the reason out of the lines that are shown.
    let passes = follow(command.env("RUST_BACKTRACE", "0"), |heard| match heard {
        Heard::Line(line) => lines.extend((!line.trim().is_empty()).then(|| line.to_owned())),
        Heard::Nothing(time) => println!("  …      {} s", time.as_secs()),
    });
    let passes = passes?;
    println!("  {:<6} after {:.1} s", if passes { "done" } else { "failed" }, started.elapsed().as_secs_f32());
    if passes {
        return Ok(());
    }
    lines[lines.len().saturating_sub(LAST)..].iter().for_each(|line| println!("         | {line}"));
    bail!("`{title}` failed")
}

/// What comes from a command.
enum Heard<'l> {
    Line(&'l str),
    /// Nothing for a while, after this time.
    Nothing(Duration),
}

/// Runs the command to its end, and returns whether it succeeded. Both its outputs are one: two would lose their order.
fn follow(command: &mut Command, mut hear: impl FnMut(Heard<'_>)) -> Result<bool> {
    let (output, end) = io::pipe()?;
    command.stdin(Stdio::null()).stdout(end.try_clone()?).stderr(end);
    let mut child = command.spawn().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    // The output does not end before our own ends of the pipe do.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (sender, lines) = channel();
    thread::spawn(move || {
        let (mut output, mut line) = (BufReader::new(output), Vec::new());
        while matches!(output.read_until(b'\n', &mut line), Ok(1..)) {
            if sender.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
                return;
            }
            line.clear();
        }
    });
    let (started, mut heard) = (Instant::now(), Instant::now());
    loop {
        match lines.recv_timeout(QUIET.saturating_sub(heard.elapsed())) {
            Ok(line) => hear(Heard::Line(&line)),
            // What it has left running may hold its output open.
            Err(RecvTimeoutError::Timeout) if child.try_wait()?.is_some() => break,
            Err(RecvTimeoutError::Timeout) => hear(Heard::Nothing(started.elapsed())),
            Err(RecvTimeoutError::Disconnected) => break,
        }
        heard = Instant::now();
    }
    Ok(child.wait()?.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn commands_pass_or_fail_as_they_say_and_their_outputs_keep_their_order() {
        let heard = |script: &str| {
            let mut lines = Vec::new();
            let passes = passes("a test's own", &mut shell(script), |line| lines.push(line.to_owned()));
            (passes.unwrap(), lines.join(" "))
        };
        assert_eq!(heard("echo 1; echo 2 >&2; echo 3; printf '4\\377'"), (true, "1 2 3 4\u{fffd}".to_owned()));
        assert_eq!(heard("echo one; exit 3"), (false, "one".to_owned()));
        assert_eq!(heard("kill -9 $$"), (false, String::new()));
        assert!(run("a test's own", &mut shell("exit 1")).is_err());
        assert!(run("a test's own", &mut Command::new("/no/such/program")).is_err());
    }

    #[test]
    fn a_step_reports_failure() {
        assert!(step("true", &mut shell("exit 0")).is_ok());
        assert!(step("false", &mut shell("exit 1")).is_err());
    }

    /// The sign of life comes in silence, and a process that stays behind does not keep the command from ending.
    #[test]
    fn silence_is_broken_and_what_stays_behind_is_not_waited_for() {
        let mut silent = 0;
        let script = format!("sleep {} & echo begun", 3 * QUIET.as_secs());
        let passes = follow(&mut shell(&script), |heard| silent += u32::from(matches!(heard, Heard::Nothing(_))));
        assert!(passes.unwrap() && silent == 0);
        let script = format!("sleep {}; echo done", QUIET.as_secs() + 2);
        let passes = follow(&mut shell(&script), |heard| silent += u32::from(matches!(heard, Heard::Nothing(_))));
        assert!(passes.unwrap() && silent == 1);
    }
}
