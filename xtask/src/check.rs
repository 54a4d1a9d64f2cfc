//! Runs a check whose output matters: shown as it arrives, with a progress line during silence.

use std::fs::File;
use std::io::{self, PipeReader, Read, Write, stderr, stdout};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use osculate_lab::waiting;

/// How long the output may keep arriving after a command has ended. It takes that long only if the command left a
/// process running with its output still open.
const LAST_WORDS: Duration = Duration::from_secs(5);
/// How much of a line a progress message quotes.
const QUOTED: usize = 100;

/// Announces the command, runs it with its output shown, and fails if it fails.
pub(crate) fn run(title: &str, command: &mut Command) -> Result<()> {
    ensure!(passes(title, command, |_| ())?, "failed: {title}");
    Ok(())
}

/// As [`run`], but passes each line of the output on, and returns whether the command succeeded.
pub(crate) fn passes(title: &str, command: &mut Command, on_line: impl FnMut(&str)) -> Result<bool> {
    println!("\n==> {title}");
    let pipes = pipes(command, leads_to(stdout())? == leads_to(stderr())?)?;
    let mut child = command.spawn().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    // Drops our write ends of the pipes: while they are open, the output does not end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (sender, events) = sync_channel(64);
    for (stream, pipe) in pipes {
        let sender = sender.clone();
        thread::spawn(move || pass_on(stream, pipe, &sender));
    }
    thread::spawn(move || sender.send(Event::Ended(child.wait())));
    let status = Follower::new(on_line, stdout(), stderr()).follow(&events, waiting::QUIET)?;
    Ok(status.context("the command's end was missed")??.success())
}

/// The pipes to read the output from. If our stdout and stderr are the same, so are the command's: two pipes would lose
/// the order of lines.
fn pipes(command: &mut Command, are_one: bool) -> io::Result<Vec<(Stream, PipeReader)>> {
    let (out, writer) = io::pipe()?;
    if are_one {
        command.stdout(writer.try_clone()?).stderr(writer);
        return Ok(vec![(Stream::Out, out)]);
    }
    command.stdout(writer);
    let (err, writer) = io::pipe()?;
    command.stderr(writer);
    Ok(vec![(Stream::Out, out), (Stream::Err, err)])
}

/// The file, terminal or pipe behind an output.
fn leads_to(output: impl AsFd) -> io::Result<(u64, u64)> {
    let file = File::from(output.as_fd().try_clone_to_owned()?).metadata()?;
    Ok((file.dev(), file.ino()))
}

/// As [`run`], for a program that succeeds despite warnings: a warning fails it, unless its text is `expected`. The
/// output is shown after the program has ended.
///
/// # Errors
/// The inner error is the standard error output of a program that failed.
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

#[derive(Clone, Copy)]
enum Stream {
    Out,
    Err,
}

enum Event {
    Output(Stream, Vec<u8>),
    Ended(io::Result<ExitStatus>),
}

/// Forwards everything that is read until the receiver is gone.
fn pass_on(stream: Stream, mut pipe: impl Read, sender: &SyncSender<Event>) {
    let mut buffer = [0; 8192];
    while let Ok(count @ 1..) = pipe.read(&mut buffer) {
        if sender.send(Event::Output(stream, buffer[..count].to_vec())).is_err() {
            return;
        }
    }
}

/// Shows the output of a command line by line, so that a progress message never interrupts a line.
struct Follower<F, O, E> {
    on_line: F,
    out: O,
    err: E,
    /// Unfinished lines.
    rest: [Vec<u8>; 2],
    /// The last complete line.
    last: String,
    started: Instant,
}

impl<F: FnMut(&str), O: Write, E: Write> Follower<F, O, E> {
    fn new(on_line: F, out: O, err: E) -> Self {
        Self { on_line, out, err, rest: [Vec::new(), Vec::new()], last: String::new(), started: Instant::now() }
    }

    /// Follows the output until the command has ended and all of it has arrived. Shows progress after each quiet
    /// period.
    fn follow(&mut self, events: &Receiver<Event>, quiet: Duration) -> io::Result<Option<io::Result<ExitStatus>>> {
        let mut status = None;
        let mut shown = Instant::now();
        loop {
            let patience = if status.is_some() { LAST_WORDS } else { quiet.saturating_sub(shown.elapsed()) };
            match events.recv_timeout(patience) {
                Ok(Event::Output(stream, bytes)) => {
                    if self.show(stream, &bytes)? {
                        shown = Instant::now();
                    }
                }
                Ok(Event::Ended(ended)) => status = Some(ended),
                Err(RecvTimeoutError::Timeout) if status.is_none() => {
                    self.give_sign_of_life()?;
                    shown = Instant::now();
                }
                Err(_) => break,
            }
        }
        for stream in [Stream::Out, Stream::Err] {
            if !self.rest[stream as usize].is_empty() {
                self.show(stream, b"\n")?;
            }
        }
        Ok(status)
    }

    /// Shows the lines that are now complete, if any.
    fn show(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<bool> {
        let rest = &mut self.rest[stream as usize];
        rest.extend(bytes);
        let Some(end) = rest.iter().rposition(|byte| *byte == b'\n') else { return Ok(false) };
        let lines: Vec<u8> = rest.drain(..=end).collect();
        match stream {
            Stream::Out => self.out.write_all(&lines).and_then(|()| self.out.flush())?,
            Stream::Err => self.err.write_all(&lines)?,
        }
        for line in String::from_utf8_lossy(&lines).lines() {
            (self.on_line)(line);
            if !line.trim().is_empty() {
                self.last = line.trim().into();
            }
        }
        Ok(true)
    }

    fn give_sign_of_life(&mut self) -> io::Result<()> {
        let unfinished = self.rest.iter().map(|rest| String::from_utf8_lossy(rest).trim().to_owned());
        let about = unfinished.into_iter().find(|rest| !rest.is_empty()).unwrap_or_else(|| self.last.clone());
        let about: String = about.chars().take(QUOTED).collect();
        let about = if about.is_empty() { about } else { format!("; last: {about}") };
        writeln!(self.err, "  still running, {} s{about}", self.started.elapsed().as_secs())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::sync::{Arc, Mutex};

    use super::*;

    fn output(stream: Stream, text: &str) -> Event {
        Event::Output(stream, text.into())
    }

    /// A buffer that the test and the code under test share.
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Shared {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_byte_arrives_on_its_own_stream_and_the_exit_code_is_the_commands() {
        let (out, err) = (Shared::default(), Shared::default());
        let mut lines = Vec::new();
        let (sender, events) = sync_channel(64);
        for event in [
            output(Stream::Out, "test a ... "),
            output(Stream::Err, "warn"),
            output(Stream::Out, "ok\ntest b"),
            output(Stream::Err, "ing\n"),
            Event::Ended(Ok(ExitStatus::from_raw(101 << 8))),
            // Late output, without a line end.
            output(Stream::Out, " ... \u{e9}"),
        ] {
            sender.send(event).unwrap();
        }
        drop(sender);
        let status = Follower::new(|line: &str| lines.push(line.to_owned()), out.clone(), err.clone())
            .follow(&events, Duration::from_secs(3600));
        assert_eq!(status.unwrap().unwrap().unwrap().code(), Some(101));
        assert_eq!((out.text(), err.text()), ("test a ... ok\ntest b ... \u{e9}\n".into(), "warning\n".into()));
        assert_eq!(lines, ["test a ... ok", "warning", "test b ... \u{e9}"]);
    }

    #[test]
    fn silence_is_broken_by_what_came_last_and_never_inside_a_line() {
        let (out, err) = (Shared::default(), Shared::default());
        let (sender, events) = sync_channel(64);
        let (heard, watching) = (err.clone(), out.clone());
        let commanding = thread::spawn(move || {
            let wait_for = |text: &str| {
                while !heard.text().contains(text) {
                    thread::yield_now();
                }
            };
            wait_for("  still running, 0 s\n");
            sender.send(output(Stream::Err, "   Compiling syn\n")).unwrap();
            wait_for("; last: Compiling syn\n");
            sender.send(output(Stream::Out, "test slow ... ")).unwrap();
            wait_for("; last: test slow ...\n");
            let so_far = watching.text();
            sender.send(output(Stream::Out, "ok\n")).unwrap();
            sender.send(Event::Ended(Ok(ExitStatus::from_raw(0)))).unwrap();
            so_far
        });
        let status = Follower::new(|_: &str| (), out.clone(), err).follow(&events, Duration::from_millis(1));
        assert!(status.unwrap().unwrap().unwrap().success());
        assert_eq!((commanding.join().unwrap(), out.text()), (String::new(), "test slow ... ok\n".into()));
    }

    #[test]
    fn outputs_that_are_one_keep_their_order() {
        let read = |are_one| {
            let mut command = Command::new("sh");
            command.args(["-c", "echo 1; echo 2 >&2; echo 3; echo 4 >&2"]);
            let pipes = pipes(&mut command, are_one).unwrap();
            assert!(command.status().unwrap().success());
            drop(command);
            pipes.into_iter().map(|(_, pipe)| io::read_to_string(pipe).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(read(true), ["1\n2\n3\n4\n"]);
        assert_eq!(read(false), ["1\n3\n", "2\n4\n"]);
        let (one, other) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
        assert_eq!(leads_to(&one).unwrap(), leads_to(one.try_clone().unwrap()).unwrap());
        assert_ne!(leads_to(&one).unwrap(), leads_to(&other).unwrap());
    }

    #[test]
    fn commands_pass_or_fail_as_they_say() {
        let shell = |script: &str| {
            let mut lines = Vec::new();
            let passes =
                passes("a test's own", Command::new("sh").args(["-c", script]), |line| lines.push(line.to_owned()));
            (passes.unwrap(), lines)
        };
        let (passed, lines) = shell("echo one; echo two >&2; printf three");
        assert!(
            passed && lines.len() == 3 && lines.iter().filter(|line| *line != "two").eq(["one", "three"].iter()),
            "{lines:?}"
        );
        assert_eq!(shell("echo one; exit 3"), (false, vec!["one".into()]));
        assert_eq!(shell("kill -9 $$"), (false, Vec::new()));
        assert!(run("a test's own", Command::new("sh").args(["-c", "exit 1"])).is_err());
        assert!(run("a test's own", &mut Command::new("/no/such/program")).is_err());
    }

    #[test]
    fn a_warning_fails_unless_it_is_expected() {
        let run = |script| without_warnings("a script", Command::new("sh").args(["-c", script]), "dry run");
        assert_eq!(run("echo 'warning: on stdout'; echo 'warning: dry run' >&2; echo note >&2").unwrap(), Ok(()));
        let error = run("echo 'warning: dry run' >&2; echo 'warning: no licence' >&2").unwrap_err();
        assert_eq!(error.to_string(), "a script warns: no licence");
        assert_eq!(run("echo no network >&2; exit 1").unwrap(), Err("no network\n".into()));
    }
}
