//! Progress of counted work.

use std::io::{IsTerminal, Stderr, Write, stderr};
use std::time::{Duration, Instant};

/// Shows the progress of a run that takes a while: in place on a terminal, otherwise in an occasional line.
pub(crate) struct Progress<W: Write = Stderr> {
    out: W,
    in_place: bool,
    /// The unit that is counted.
    what: &'static str,
    total: usize,
    done: usize,
    started: Instant,
    next: Duration,
    pause: Duration,
}

/// Shorter runs show no progress.
const PATIENCE: Duration = Duration::from_secs(2);

impl Progress {
    /// Progress towards this total of updates, steps, or another unit.
    pub(crate) fn new(total: usize, what: &'static str) -> Self {
        let in_place = stderr().is_terminal();
        let pause = if in_place { Duration::from_millis(200) } else { Duration::from_secs(5) };
        Self { out: stderr(), in_place, what, total, done: 0, started: Instant::now(), next: PATIENCE, pause }
    }
}

impl<W: Write> Progress<W> {
    /// Restarts the clock.
    pub(crate) fn restart(&mut self) {
        self.started = Instant::now();
    }

    /// Counts one more as done.
    pub(crate) fn add_one(&mut self) {
        self.show(self.done + 1);
    }

    /// Shows that this many are done.
    pub(crate) fn show(&mut self, done: usize) {
        self.done = done;
        if self.started.elapsed() < self.next {
            return;
        }
        self.next = self.started.elapsed() + self.pause;
        let Self { out, total, what, .. } = self;
        // Progress that cannot be shown is not worth an error.
        _ = if self.in_place {
            write!(out, "\r{done} of {total} {what}\x1b[K").and_then(|()| out.flush())
        } else {
            writeln!(out, "  {done} of {total} {what}")
        };
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

impl<W: Write> Drop for Progress<W> {
    fn drop(&mut self) {
        if self.in_place && self.next > PATIENCE {
            _ = write!(self.out, "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output for two steps of three: the first shown at once, then at most one line an hour.
    fn shown(in_place: bool) -> String {
        let mut out = Vec::new();
        let (started, next, pause) = (Instant::now(), Duration::ZERO, Duration::from_secs(3600));
        let mut progress = Progress { out: &mut out, in_place, what: "steps", total: 3, done: 0, started, next, pause };
        progress.add_one();
        progress.add_one();
        drop(progress);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_pipe_gets_lines_and_a_terminal_one_line_that_goes_away() {
        // The second step comes within the hour.
        assert_eq!(shown(false), "  1 of 3 steps\n");
        assert_eq!(shown(true), "\r1 of 3 steps\x1b[K\r\x1b[K");
    }

    #[test]
    fn what_is_over_soon_is_not_worth_a_word() {
        let mut out = Vec::new();
        let (started, next, pause) = (Instant::now(), Duration::from_secs(3600), Duration::ZERO);
        Progress { out: &mut out, in_place: false, what: "steps", total: 3, done: 0, started, next, pause }.show(3);
        assert_eq!(out, b"");
    }
}
