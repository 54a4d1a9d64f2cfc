//! One step of setup: announced first, bounded in time, and quiet unless it fails.

use std::{
    fmt::Display,
    fs::File,
    io::{Read, Seek, SeekFrom},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow, bail};

/// How often a slow step shows that it is still running.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// How many lines of a failed step's output are shown.
const SHOWN_LINES: usize = 12;

/// Prints one line of setup's output: a label and a text.
pub(super) fn say(label: &str, text: impl Display) {
    println!("  {label:<6} {text}");
}

/// Runs `command` to its end, without letting it prompt. Its output is shown only if it fails.
///
/// # Errors
/// If it cannot be started, fails, or takes longer than `limit`, if given.
pub(super) fn run(command: &mut Command, limit: Option<Duration>) -> Result<()> {
    let title = words(command);
    run_as(&title, command, limit)
}

/// As [`run`], with a title instead of the command line.
pub(super) fn run_as(title: &str, command: &mut Command, limit: Option<Duration>) -> Result<()> {
    say("run", title);
    let start = Instant::now();
    // A file, not a pipe: a service started by an installation may hold the output open forever.
    let mut output = tempfile::tempfile().context("no temporary file for the output of a step")?;
    // A backtrace would push the reason out of the lines that are shown.
    command.env("RUST_BACKTRACE", "0").stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output.try_clone()?);
    let mut child = command.spawn().with_context(|| format!("cannot start `{title}`"))?;
    let result = match wait(&mut child, start, limit)? {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(anyhow!("`{title}` failed ({status})")),
        None => Err(anyhow!("`{title}` was stopped after {} s", start.elapsed().as_secs())),
    };
    let label = if result.is_ok() { "done" } else { "failed" };
    say(label, format_args!("after {:.1} s", start.elapsed().as_secs_f32()));
    if result.is_err() {
        print_end(&mut output);
    }
    result
}

/// A command as typed in a shell.
fn words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Waits for the child; `None` if it had to be stopped.
fn wait(child: &mut Child, start: Instant, limit: Option<Duration>) -> Result<Option<ExitStatus>> {
    let mut next_beat = HEARTBEAT;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let elapsed = start.elapsed();
        if limit.is_some_and(|limit| elapsed > limit) {
            if let Err(error) = child.kill() {
                bail!("a step that takes too long cannot be stopped: {error}");
            }
            child.wait()?;
            return Ok(None);
        }
        if elapsed > next_beat {
            say("…", format_args!("{} s", elapsed.as_secs()));
            next_beat += HEARTBEAT;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn print_end(output: &mut File) {
    for line in last_lines(&text(output), SHOWN_LINES) {
        println!("         | {line}");
    }
}

/// The readable contents of a file.
fn text(file: &mut File) -> String {
    let mut bytes = Vec::new();
    _ = file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn last_lines(text: &str, count: usize) -> Vec<&str> {
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(count)..].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_output_is_what_is_shown() {
        assert_eq!(last_lines("a\n\nb\nc\n", 2), ["b", "c"]);
        assert_eq!(last_lines("a", 2), ["a"]);
        assert!(last_lines("", 2).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_step_reports_failure_and_is_stopped_in_time() {
        assert!(run(&mut Command::new("true"), None).is_ok());
        assert!(run(&mut Command::new("false"), None).is_err());
        assert!(run(&mut Command::new("/nonexistent"), None).is_err());
        let error = run(Command::new("sleep").arg("60"), Some(Duration::from_millis(50))).unwrap_err();
        assert!(error.to_string().contains("`sleep 60` was stopped"));
    }
}
