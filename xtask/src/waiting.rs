//! A sign of life while something takes its time.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Says what is being done and does it; from then on it shows how long it has taken, on a terminal every second, elsewhere
/// in a line now and then.
pub(crate) fn during<T>(what: &str, work: impl FnOnce() -> T) -> T {
    println!("{what}");
    let started = Instant::now();
    let so_far = if stderr().is_terminal() { "" } else { " so far" };
    showing(|| format!("{} s{so_far}", started.elapsed().as_secs()), work)
}

/// Does something; from then on it shows how far that is, on a terminal every second, elsewhere in a line now and then.
pub(crate) fn showing<T>(how_far: impl Fn() -> String + Send, work: impl FnOnce() -> T) -> T {
    let terminal = stderr().is_terminal();
    let pause = Duration::from_secs(if terminal { 1 } else { 8 });
    let (working, waiting) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while waiting.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                // Where nobody reads any more, nobody misses it.
                _ = if terminal {
                    write!(stderr(), "\r  {}\x1b[K", how_far())
                } else {
                    writeln!(stderr(), "  {}", how_far())
                };
            }
            if terminal {
                _ = write!(stderr(), "\r\x1b[K");
            }
        });
        let done = work();
        drop(working);
        done
    })
}

/// Prints a line while something is shown: in its place, on a terminal.
pub(crate) fn print(line: &str) {
    if stderr().is_terminal() {
        _ = write!(stderr(), "\r\x1b[K");
    }
    println!("{line}");
}

#[cfg(test)]
mod tests {
    use super::during;

    #[test]
    fn it_ends_when_the_work_does_also_by_a_panic() {
        assert_eq!(during("counting", || 1 + 1), 2);
        let panicked = std::panic::catch_unwind(|| during("failing", || assert!(std::env::args().count() == 0)));
        assert!(panicked.is_err());
    }
}
