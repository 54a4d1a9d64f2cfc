//! A check whose output is the point: shown as it comes, and the first one that fails ends the command.

mod tally;

use std::io::{IsTerminal, Read, Write, stderr, stdout};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

pub(crate) use tally::Tally;

/// After so much silence somebody may wonder whether it hangs.
const QUIET: Duration = Duration::from_secs(8);

/// Says what is run, runs it in the open, and fails if it fails.
pub(crate) fn run(title: &str, command: &mut Command) -> Result<()> {
    tests(title, command, &mut Tally::default())
}

/// The same, and counts the tests that it reports.
pub(crate) fn tests(title: &str, command: &mut Command, tally: &mut Tally) -> Result<()> {
    println!("\n==> {title}");
    if stderr().is_terminal() {
        // Into a pipe, cargo would leave them out. What test runners print has none either way.
        command.env("CARGO_TERM_COLOR", "always");
    }
    let success = watched(command, tally, &mut stdout(), &mut stderr(), QUIET)?;
    ensure!(success, "failed: {title}");
    Ok(())
}

/// A piece of what a program writes.
enum Output {
    Plain(Vec<u8>),
    Error(Vec<u8>),
}

/// Passes on what a program writes, with a word after every silence; whether it succeeded.
fn watched(
    command: &mut Command,
    tally: &mut Tally,
    out: &mut dyn Write,
    err: &mut dyn Write,
    quiet: Duration,
) -> Result<bool> {
    let name = command.get_program().to_owned();
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.with_context(|| format!("cannot start {name:?}"))?;
    let started = Instant::now();
    let (sender, output) = sync_channel(64);
    pass_on(child.stdout.take(), Output::Plain, sender.clone());
    pass_on(child.stderr.take(), Output::Error, sender);
    loop {
        // Where nobody reads any more, nobody misses it.
        _ = match output.recv_timeout(quiet) {
            Ok(Output::Plain(bytes)) => {
                tally.push(&bytes);
                out.write_all(&bytes).and_then(|()| out.flush())
            }
            Ok(Output::Error(bytes)) => err.write_all(&bytes),
            Err(RecvTimeoutError::Timeout) => {
                let after = tally.last_test().map_or(String::new(), |test| format!("; the last test to end: {test}"));
                writeln!(err, "  … {} s so far{after}", started.elapsed().as_secs())
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
    }
    Ok(child.wait().context("cannot wait for it")?.success())
}

fn pass_on(pipe: Option<impl Read + Send + 'static>, kind: fn(Vec<u8>) -> Output, sender: SyncSender<Output>) {
    let Some(mut pipe) = pipe else { return };
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            if sender.send(kind(buffer[..count].to_vec())).is_err() {
                return;
            }
        }
    });
}

/// The same for a program that warns and succeeds all the same: a warning fails it, unless its text is `expected`. Shows
/// what it printed once it has ended.
///
/// # Errors
/// The inner one, if it failed, is what it printed to its standard error.
pub(crate) fn without_warnings(title: &str, command: &mut Command, expected: &str) -> Result<Result<(), String>> {
    println!("\n==> {title}");
    let output = command.output().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    print!("{}{told}", String::from_utf8_lossy(&output.stdout));
    if !output.status.success() {
        return Ok(Err(told));
    }
    let warning = told.lines().filter_map(|line| line.strip_prefix("warning: ")).find(|text| *text != expected);
    ensure!(warning.is_none(), "{title} warns: {}", warning.unwrap_or_default());
    Ok(Ok(()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_warning_fails_unless_it_is_expected() {
        let run = |script| without_warnings("a script", Command::new("sh").args(["-c", script]), "dry run");
        assert_eq!(run("echo 'warning: on stdout'; echo 'warning: dry run' >&2; echo note >&2").unwrap(), Ok(()));
        let error = run("echo 'warning: dry run' >&2; echo 'warning: no licence' >&2").unwrap_err();
        assert_eq!(error.to_string(), "a script warns: no licence");
        assert_eq!(run("echo no network >&2; exit 1").unwrap(), Err("no network\n".into()));
    }

    /// What a script writes as it is watched: tally, stdout, stderr, success.
    fn watch(script: &str, quiet: Duration) -> (Tally, String, String, bool) {
        let (mut tally, mut out, mut err) = (Tally::default(), Vec::new(), Vec::new());
        let mut command = Command::new("sh");
        let success = watched(command.args(["-c", script]), &mut tally, &mut out, &mut err, quiet).unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (tally, text(out), text(err), success)
    }

    #[test]
    fn all_output_is_passed_on_and_tests_are_counted() {
        let script = "echo 'test a ... ok'; echo problem >&2; \
            echo 'test result: FAILED. 2 passed; 1 failed; 0 ignored'; exit 3";
        let (tally, out, err, success) = watch(script, Duration::from_secs(60));
        assert_eq!(tally.to_string(), "2 passed, 1 failed");
        assert_eq!(out, "test a ... ok\ntest result: FAILED. 2 passed; 1 failed; 0 ignored\n");
        assert_eq!((err.as_str(), success), ("problem\n", false));
    }

    #[test]
    fn silence_is_broken_with_the_last_test_that_ended() {
        // However slow the machine, the program is quiet for as long as nothing was said about it.
        let folder = tempfile::tempdir().unwrap();
        let script = format!(
            "echo 'test a::b ... ok'; until [ -e '{}' ]; do sleep 0.01; done",
            folder.path().join("go").display()
        );
        struct Breaker(std::path::PathBuf, Vec<u8>);
        impl Write for Breaker {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.1.extend(bytes);
                std::fs::write(&self.0, "")?;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let mut err = Breaker(folder.path().join("go"), Vec::new());
        let (mut tally, mut out) = (Tally::default(), Vec::new());
        let mut command = Command::new("sh");
        let quiet = Duration::from_millis(300);
        assert!(watched(command.args(["-c", &script]), &mut tally, &mut out, &mut err, quiet).unwrap());
        let said = String::from_utf8(err.1).unwrap();
        assert!(said.contains("s so far; the last test to end: a::b\n"), "{said}");
    }
}
