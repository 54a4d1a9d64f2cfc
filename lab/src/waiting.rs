//! Shows progress during slow work.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest silence in an output of permanent lines: nobody should have to wonder for ten seconds.
pub const QUIET: Duration = Duration::from_secs(8);

/// Prints what is being done and does it, showing the elapsed time.
pub fn during<T>(what: &str, work: impl FnOnce() -> T) -> T {
    println!("{what}");
    let started = Instant::now();
    let so_far = if stderr().is_terminal() { "" } else { " so far" };
    showing(|| format!("{} s{so_far}", started.elapsed().as_secs()), work)
}

/// Does the work and shows its progress: every second on a terminal, otherwise in an occasional line.
pub fn showing<T>(how_far: impl Fn() -> String + Send, work: impl FnOnce() -> T) -> T {
    let in_place = stderr().is_terminal();
    signalling(stderr(), in_place, if in_place { Duration::from_secs(1) } else { QUIET }, how_far, work)
}

/// Does the work, and shows how many of all it has counted as done.
pub fn counting<T>(total: usize, what: &str, work: impl FnOnce(&AtomicUsize) -> T) -> T {
    let done = AtomicUsize::new(0);
    showing(|| format!("{} of {total} {what}", done.load(Ordering::Relaxed)), || work(&done))
}

/// Does the work, and writes the progress to `out` after every pause.
fn signalling<T>(
    mut out: impl Write + Send,
    in_place: bool,
    pause: Duration,
    how_far: impl Fn() -> String + Send,
    work: impl FnOnce() -> T,
) -> T {
    let (working, waiting) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while waiting.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                // If nobody reads the output any more, the error does not matter.
                _ = if in_place { write!(out, "\r  {}\x1b[K", how_far()) } else { writeln!(out, "  {}", how_far()) };
            }
            if in_place {
                _ = write!(out, "\r\x1b[K");
            }
        });
        let done = work();
        drop(working);
        done
    })
}

/// Prints a line while progress is shown; on a terminal it replaces the progress line.
pub fn print(line: &str) {
    if stderr().is_terminal() {
        _ = write!(stderr(), "\r\x1b[K");
    }
    println!("{line}");
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::mpsc::Sender;

    use super::*;

    /// Forwards everything that is written.
    struct Heard(Sender<String>);

    impl Write for Heard {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(String::from_utf8_lossy(bytes).into_owned()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn work_that_takes_long_is_accompanied() {
        let (out, heard) = channel();
        // The work ends after two signs of life; the timeout matters only if the test fails.
        let next = || heard.recv_timeout(Duration::from_secs(60)).expect("there is no sign of life");
        let how_far = || "1 s so far".to_owned();
        let signs = signalling(Heard(out), false, Duration::from_millis(1), how_far, || {
            let mut text = String::new();
            while text.lines().count() < 2 || !text.ends_with('\n') {
                text += &next();
            }
            text
        });
        assert!(signs.lines().all(|line| line.starts_with("  ") && line.ends_with(" s so far")), "{signs}");
    }

    #[test]
    fn it_ends_when_the_work_does_also_by_a_panic() {
        assert_eq!(during("counting", || 1 + 1), 2);
        let panicked = std::panic::catch_unwind(|| during("failing", || assert!(std::env::args().count() == 0)));
        assert!(panicked.is_err());
    }
}
