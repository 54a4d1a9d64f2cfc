//! One step of setup: said before it is done, bounded in time, and quiet unless it fails.

use std::{
    env,
    fmt::Display,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    process::{self, Child, Command, ExitStatus, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow, bail};

/// How often a step that takes long says that it is still at work.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// How much of a failed step's output is shown.
const SHOWN_LINES: usize = 12;

/// One line of setup's output: a label and what it is about.
pub(crate) fn say(label: &str, text: impl Display) {
    println!("  {label:<6} {text}");
}

/// Runs `command` to its end without letting it ask anything. Its output is shown only if it fails.
///
/// # Errors
/// It cannot be started, fails, or takes longer than `limit`, if there is one.
pub(crate) fn run(command: &mut Command, limit: Option<Duration>) -> Result<()> {
    let title = words(command);
    run_as(&title, command, limit)
}

/// The same for a command that is better described by a title.
pub(crate) fn run_as(title: &str, command: &mut Command, limit: Option<Duration>) -> Result<()> {
    say("run", title);
    let start = Instant::now();
    // A file and no pipe: a service that an installation starts may hold the output open for ever.
    let mut output = scratch_file().context("no temporary file for the output of a step")?;
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

/// A command as one would type it.
pub(crate) fn words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// `None` if the child had to be stopped.
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

/// An open file without a name that would have to be removed later.
fn scratch_file() -> io::Result<File> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = env::temp_dir().join(format!("osculate-setup-{}-{number}.log", process::id()));
    // `create_new`: never through a link that somebody else left in a shared folder.
    let file = File::options().read(true).append(true).create_new(true).open(&path)?;
    // Where an open file cannot be removed, a small one stays in the temporary folder.
    let _ = fs::remove_file(&path);
    Ok(file)
}

fn print_end(output: &mut File) {
    let mut bytes = Vec::new();
    if output.seek(SeekFrom::Start(0)).and_then(|_| output.read_to_end(&mut bytes)).is_ok() {
        for line in last_lines(&String::from_utf8_lossy(&bytes), SHOWN_LINES) {
            println!("         | {line}");
        }
    }
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
